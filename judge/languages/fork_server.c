/* Makes a program fork before its constructors and `main`, once for each run: see judge/sandbox/fork_server.py for the
   messages. A program may have functions and variables of any name, so this makes system calls itself. x86_64. */

enum { WRITE = 1, DUP2 = 33, GETPID = 39, RECVMSG = 47, CLONE = 56, EXIT = 60, SETSID = 112, PRCTL = 157 };
enum { SET_ROBUST_LIST = 273, GET_ROBUST_LIST = 274, SECCOMP = 317, CLOSE_RANGE = 436 };
enum { CONTROL_FD = 3, STREAMS = 3, MAX_INSTRUCTIONS = 128, MAX_ARGUMENTS = 1 << 16 };
enum { CLONE_CHILD_SETTID = 0x1000000, CLONE_CHILD_CLEARTID = 0x200000, CLONE_PARENT = 0x8000, SIGCHLD = 17 };
enum { PR_GET_TID_ADDRESS = 40, SET_MODE_FILTER = 1, PLACEHOLDER = 0x7EADBEEF /* of a pid: seccomp.py */ };

struct instruction { unsigned short code; unsigned char then, otherwise; unsigned value; };
struct program { unsigned short length; struct instruction *instructions; };
struct part { void *data; unsigned long size; };
struct descriptors { unsigned long size; int level, type, fds[STREAMS], padding; };
struct message {
    void *name; unsigned name_size; struct part *parts; unsigned long part_count;
    void *control; unsigned long control_size; int flags;
};

static struct instruction instructions[MAX_INSTRUCTIONS];
static char arguments[MAX_ARGUMENTS];

static long call(long number, long a, long b, long c, long d) {
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                     : "rcx", "r11", "memory");
    return result;
}

/* Receives a message and returns its length; ends the server when the zygote is gone. */
static long receive(void *data, unsigned long size, struct descriptors *streams) {
    struct part part = {data, size};
    struct message message = {0, 0, &part, 1, streams, sizeof *streams, 0};
    long length = call(RECVMSG, CONTROL_FD, (long)&message, 0, 0);
    if (length <= 0) call(EXIT, 0, 0, 0, 0);
    return length;
}

/* Makes a new process ready to be the program. */
static void become_run(const struct descriptors *streams, char **argv, unsigned short count) {
    call(SETSID, 0, 0, 0, 0);
    for (int target = 0; target < STREAMS; target++) call(DUP2, streams->fds[target], target, 0, 0);
    call(CLOSE_RANGE, CONTROL_FD, 0xFFFFFFFF, 0, 0);
    char *next = arguments;
    for (int i = 1; argv[i]; i++) {
        argv[i] = next;
        while (*next++) {}
    }
    unsigned pid = (unsigned)call(GETPID, 0, 0, 0, 0);
    for (int i = 0; i < count; i++)
        if (instructions[i].value == PLACEHOLDER) instructions[i].value = pid;
    struct program filter = {count, instructions};
    if (call(SECCOMP, SET_MODE_FILTER, 0, (long)&filter, 0) != 0) call(EXIT, 127, 0, 0, 0);
}

static int is_marker(const char *variable) {
    const char *marker = "JUDGE_FORK_SERVER=";
    while (*marker && *marker == *variable) marker++, variable++;
    return !*marker;
}

static void serve(int argc, char **argv, char **variable) {
    (void)argc;
    while (*variable && !is_marker(*variable)) variable++;
    if (!*variable) return;
    do *variable = variable[1]; while (*variable++); /* a run must not see it */
    int *thread = 0; /* where the C library keeps the id of the first thread, which a fork changes */
    if (call(PRCTL, PR_GET_TID_ADDRESS, (long)&thread, 0, 0) != 0) call(EXIT, 0, 0, 0, 0);
    void *mutexes; /* of the first thread, which a fork forgets */
    unsigned long size;
    call(GET_ROBUST_LIST, 0, (long)&mutexes, (long)&size, 0);
    struct descriptors streams;
    unsigned short count = (unsigned short)(receive(instructions, sizeof instructions, &streams) / sizeof *instructions);
    long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
    int answer = 0;
    while (call(WRITE, CONTROL_FD, (long)&answer, sizeof answer, 0) == sizeof answer) {
        receive(arguments, sizeof arguments, &streams);
        answer = (int)call(CLONE, flags, 0, 0, (long)thread);
        if (!answer) {
            call(SET_ROBUST_LIST, (long)mutexes, (long)size, 0, 0);
            become_run(&streams, argv, count);
            return;
        }
        call(CLOSE_RANGE, CONTROL_FD + 1, 0xFFFFFFFF, 0, 0);
    }
    call(EXIT, 0, 0, 0, 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const start)(int, char **, char **) = serve;
