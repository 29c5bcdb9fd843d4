total() {
    local sum=0 x
    for x; do sum=$((sum + x)); done
    echo $sum
}
