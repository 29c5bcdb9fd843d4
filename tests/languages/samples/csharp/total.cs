using System.Collections.Generic;
using System.Linq;
class Total { public static long Of(List<long> numbers) { return numbers.Sum(); } }
