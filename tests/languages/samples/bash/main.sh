source "${BASH_SOURCE%/*}/total.sh"
read -r -d '' mode rest
case $mode in
    sum) total $rest ;;
    memory) kept=$(printf '%*s' $((rest << 20)) x); echo ${#kept} ;;
    loop) while :; do :; done ;;
    fail) exit 3 ;;
esac
