import java.io.*;
import java.util.*;

public class Main {
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

    public static void main(String[] args) throws IOException {
        StringTokenizer words = new StringTokenizer(new String(System.in.readAllBytes()));
        String mode = words.nextToken();
        List<Long> numbers = new ArrayList<>();
        while (words.hasMoreTokens()) numbers.add(Long.parseLong(words.nextToken()));
        if (mode.equals("sum")) System.out.println(Total.total(numbers));
        if (mode.equals("deep")) System.out.println(deep(numbers.get(0).intValue()));
        if (mode.equals("memory")) {
            List<byte[]> kept = new ArrayList<>();
            for (long i = 0; i < numbers.get(0); i++) kept.add(new byte[1 << 20]);
            System.out.println(kept.size());
        }
        if (mode.equals("loop")) while (true) numbers.clear();
        if (mode.equals("fail")) throw new RuntimeException("failed");
    }
}
