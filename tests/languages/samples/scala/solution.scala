object Solution {
  def deep(n: Int): Int = if (n == 0) 0 else 1 + deep(n - 1)

  def main(args: Array[String]): Unit = {
    val words = scala.io.Source.stdin.mkString.split("\\s+")
    val numbers = words.drop(1).map(_.toLong)
    words(0) match {
      case "sum" => println(Total.total(numbers))
      case "deep" => println(deep(numbers(0).toInt))
      case "memory" => println(List.fill(numbers(0).toInt)(new Array[Byte](1 << 20)).size)
      case "loop" => while (true) { numbers.length }
      case "fail" => throw new RuntimeException("failed")
    }
  }
}
