using System;
using System.Collections.Generic;
using System.Linq;

class Program {
    static int Deep(int n) { return n == 0 ? 0 : 1 + Deep(n - 1); }

    static void Main() {
        var words = Console.In.ReadToEnd().Split(new char[0], StringSplitOptions.RemoveEmptyEntries);
        var numbers = words.Skip(1).Select(long.Parse).ToList();
        switch (words[0]) {
            case "sum": Console.WriteLine(Total.Of(numbers)); break;
            case "deep": Console.WriteLine(Deep((int)numbers[0])); break;
            case "memory":
                var kept = new List<byte[]>();
                for (long i = 0; i < numbers[0]; i++) { var part = new byte[1 << 20]; for (int j = 0; j < part.Length; j += 4096) part[j] = 1; kept.Add(part); }
                Console.WriteLine(kept.Count); break;
            case "loop": while (true) { }
            case "fail": throw new Exception("failed");
        }
    }
}
