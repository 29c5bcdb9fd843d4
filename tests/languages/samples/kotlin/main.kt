fun deep(n: Int): Int = if (n == 0) 0 else 1 + deep(n - 1)

fun main() {
    val words = generateSequence(::readLine).flatMap { it.split(" ").asSequence() }.filter { it.isNotEmpty() }.toList()
    val numbers = words.drop(1).map { it.toLong() }
    when (words[0]) {
        "sum" -> println(total(numbers))
        "deep" -> println(deep(numbers[0].toInt()))
        "memory" -> println(List(numbers[0].toInt()) { ByteArray(1 shl 20) }.size)
        "loop" -> while (true) { numbers.size }
        "fail" -> throw RuntimeException("failed")
    }
}
