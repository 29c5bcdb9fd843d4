package main

import (
	"bufio"
	"fmt"
	"os"
)

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + deep(n-1)
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var mode string
	fmt.Fscan(in, &mode)
	numbers := []int{}
	for x := 0; ; {
		if _, err := fmt.Fscan(in, &x); err != nil {
			break
		}
		numbers = append(numbers, x)
	}
	switch mode {
	case "sum":
		fmt.Println(total(numbers))
	case "deep":
		fmt.Println(deep(numbers[0]))
	case "memory":
		kept := make([]byte, numbers[0]<<20)
		for i := range kept {
			kept[i] = 1
		}
		fmt.Println(len(kept))
	case "loop":
		for {
		}
	case "fail":
		panic("failed")
	}
}
