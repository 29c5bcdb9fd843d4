/* Attacks that Python cannot make: raw system calls, bare threads, odd instructions.

   calls NAME MARK ANSWER OTHER JUDGE_FILE JUDGE: makes the attack of that name and prints, as the Python attacks do,
   what came of its calls: each outcome once, "done" or "refused E...". */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define HIGH ((unsigned long)1 << 32)
#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *mark, *answer;
static pid_t judge;

/* ---- outcomes ---- */

static char outcomes[1000];

static const char *name_of(int number) {
    static const struct { int number; const char *name; } names[] = {
        {EPERM, "EPERM"}, {EACCES, "EACCES"}, {ENOENT, "ENOENT"}, {ENOSYS, "ENOSYS"}, {EINVAL, "EINVAL"},
        {ENOMEM, "ENOMEM"}, {EAGAIN, "EAGAIN"}, {EBADF, "EBADF"}, {ESRCH, "ESRCH"}, {EFAULT, "EFAULT"},
        {EROFS, "EROFS"}, {EMFILE, "EMFILE"}, {ENOTTY, "ENOTTY"}, {EOPNOTSUPP, "EOPNOTSUPP"}};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (names[i].number == number) return names[i].name;
    return "another error";
}

static void attempt(long result) {
    char now[100];
    if (result == -1) snprintf(now, sizeof now, "refused %s", name_of(errno));
    else snprintf(now, sizeof now, "done");
    if (strstr(outcomes, now)) return;
    if (*outcomes) strcat(outcomes, ", ");
    strcat(outcomes, now);
}

/* A bare call, whose child does nothing but end. */
static long child_by(long number, unsigned long flags) {
    long made = number == SYS_clone ? syscall(number, flags, 0, 0, 0, 0) : syscall(number);
    if (made == 0) syscall(SYS_exit_group, 0);
    return made;
}

/* ---- threads and memory ---- */

static void *take(size_t size) {
    char *taken = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (taken == MAP_FAILED) { puts("no memory"); exit(1); }
    for (size_t at = 0; at < size; at += 4096) ((volatile char *)taken)[at] = 1;
    return taken;
}

static int threads(int count, size_t stack, void *(*function)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    int made = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    while (made < count && pthread_create(&thread, &attributes, function, NULL) == 0) made++;
    return made;
}

static void *spin(void *unused) { for (;;) __asm__ volatile(""); return unused; }
static void *rest(void *unused) { for (;;) pause(); return unused; }
static void *use_stack(void *unused) { volatile char block[900000]; for (size_t i = 0; i < sizeof block; i += 4096) block[i] = 1; return rest(unused); }
static void *grow(void *unused) { for (;;) take(MIB); return unused; }
static void *grow_slowly(void *unused) { for (int i = 0; i < 400; i++) { take(MIB); usleep(1000); } puts("done"); exit(0); return unused; }

/* All wake up at the same moment, ten times a second: each waits for the others, which is long in sum. */
static void *wake_up_with_the_others(void *unused) {
    for (;;) {
        struct timespec at;
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_nsec = (at.tv_nsec / 100000000 + 1) * 100000000;
        if (at.tv_nsec >= 1000000000) { at.tv_sec++; at.tv_nsec -= 1000000000; }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
        for (volatile int i = 0; i < 3000; i++) continue;
    }
    return unused;
}

static void end_first_thread(void) { syscall(SYS_exit, 0); }

static void fast_growth(void) { threads(8, 65536, grow); rest(NULL); }
static void stacks(void) { threads(500, MIB, use_stack); rest(NULL); }
static void orphaned_memory(void) { threads(1, 65536, grow_slowly); end_first_thread(); }
static void spinning_threads(void) { threads(900, 65536, spin); spin(NULL); }
static void orphaned_spin(void) { threads(1, 65536, spin); end_first_thread(); }
static void orphaned_sleep(void) { threads(1, 65536, rest); end_first_thread(); }
static void queueing_threads(void) { threads(500, 65536, wake_up_with_the_others); sleep(4); puts("done"); }
static void endless_threads(void) { threads(8000, 16384, rest); rest(NULL); }

static void page_tables(void) {
    size_t page = sysconf(_SC_PAGESIZE), reach = page * (page / 8), size = 512 * MIB / page * reach; /* of one table */
    char *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(map, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += reach) (void)((volatile char *)map)[at];
    usleep(100000);
    puts("done");
}

static void forced_buffers(void) {
    int pair[2], size = 1 << 30;
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    attempt(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size));
    attempt(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size));
}

/* The content of pipes and sockets belongs to no process: only the number of descriptors limits it. */
static void more_descriptors(void) {
    attempt(child_by(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD));
    attempt(syscall(436 /* close_range */, 3, 3, 2 /* CLOSE_RANGE_UNSHARE */));
}

static void *wait_for_16(void *awaited) { poll(awaited, 16, -1); return awaited; }

/* A socket that is waited for stays when it is closed, so that its number is free for the next. */
static void awaited_sockets(void) {
    static struct pollfd awaited[200][16];
    static char block[1 << 16];
    pthread_t thread;
    for (int n = 0; n < 200; n++) {
        for (int i = 0; i < 16; i += 2) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) { attempt(-1); return; }
            for (int side = 0; side < 2; side++) {
                while (write(pair[side], block, sizeof block) > 0) continue;
                awaited[n][i + side].fd = pair[side];
            }
        }
        if (pthread_create(&thread, NULL, wait_for_16, awaited[n])) { attempt(-1); return; }
        usleep(2000);
        for (int i = 0; i < 16; i++) close(awaited[n][i].fd);
    }
    puts("done");
}

/* Shared memory of which nothing is resident, though all of it is still there. */
static void fill_and_discard(void) {
    size_t size = 512 * (size_t)MIB, step = 8 * MIB;
    char *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) { attempt(-1); return; }
    for (size_t at = 0; at < size; at += step) { memset(map + at, 1, step); madvise(map + at, step, MADV_DONTNEED); }
    usleep(500000);
    puts("done");
    fflush(stdout);
}
static void *fill_and_end(void *nothing) { (void)nothing; fill_and_discard(); _exit(0); }
static void discarded_by_a_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, fill_and_end, NULL)) { attempt(-1); return; }
    pthread_exit(NULL);
}
static void kept_at_low_addresses(void) {
    size_t page = sysconf(_SC_PAGESIZE);
    for (size_t n = 0; n < 64; n++) {
        size_t size = 8 * MIB;
        char *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (map == MAP_FAILED) { attempt(-1); return; }
        memset(map, 1, size);
        void *low = (void *)(0x100000 + n * 2 * page);
        if (mremap(map + size - page, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, low) == MAP_FAILED) { attempt(-1); return; }
        munmap(map, size - page);
    }
    usleep(500000);
    puts("done");
}

static void locked(void) {
    size_t size = 64 * MIB;
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    attempt(mlock(map, size));
}

static int deeper(int n) { volatile char block[1000]; block[0] = (char)n; return deeper(n + 1) + block[0]; }
static void recursion(void) { exit(deeper(0)); }

static void system_v(void) {
    key_t key = (key_t)strtol(mark + strlen(mark) - 6, NULL, 10);
    attempt(shmget(key, 4096, IPC_CREAT | 0600));
    attempt(msgget(key, IPC_CREAT | 0600));
    attempt(semget(key, 1, IPC_CREAT | 0600));
}

static void named_objects(void) {
    char name[200];
    snprintf(name, sizeof name, "/%s", mark);
    attempt(shm_open(name, O_CREAT | O_RDWR, 0600));
    attempt(mq_open(name, O_CREAT | O_RDWR, 0600, NULL));
    attempt(sem_open(name, O_CREAT, 0600, 0) == SEM_FAILED ? -1 : 0);
}

/* ---- processes ---- */

static void other_forks(void) {
#ifdef SYS_fork
    attempt(child_by(SYS_fork, 0));
#endif
    attempt(child_by(SYS_clone, SIGCHLD));
    attempt(child_by(SYS_clone, CLONE_VM | SIGCHLD));
    attempt(child_by(SYS_clone, CLONE_PARENT | SIGCHLD));
    attempt(child_by(SYS_clone, CLONE_PARENT | SIGKILL));
    attempt(child_by(SYS_clone, HIGH | SIGCHLD));
}

static void last_children(void) {
    for (int n = 0; n < 950; n++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            if (n >= 930) take(14 * MIB);
            rest(NULL);
        }
    }
    sleep(3);
    puts("done");
}

static void other_signals(void) {
    siginfo_t info = {.si_code = SI_QUEUE, .si_signo = SIGKILL};
    pid_t others[] = {getppid(), judge, 1, -1};
    for (size_t i = 0; i < LENGTH(others); i++) {
        pid_t other = others[i];
        attempt(syscall(SYS_kill, (long)other, SIGKILL));
        attempt(syscall(SYS_kill, (long)other | (long)HIGH, SIGKILL));
        attempt(syscall(SYS_tkill, other, SIGKILL));
        attempt(syscall(SYS_tgkill, other, other, SIGKILL));
        attempt(syscall(SYS_rt_sigqueueinfo, other, SIGKILL, &info));
        attempt(syscall(SYS_rt_tgsigqueueinfo, other, other, SIGKILL, &info));
        attempt(syscall(424 /* pidfd_send_signal */, 0, SIGKILL, NULL, 0));
    }
}

static void tracing(void) {
    char block[8] = "";
    struct iovec here = {block, 8}, there = {(void *)0x400000, 8};
    pid_t others[] = {getppid(), judge};
    for (size_t i = 0; i < LENGTH(others); i++) {
        attempt(ptrace(PTRACE_ATTACH, others[i], NULL, NULL));
        attempt(ptrace(PTRACE_SEIZE, others[i], NULL, NULL));
        attempt(process_vm_readv(others[i], &here, 1, &there, 1, 0));
        attempt(process_vm_writev(others[i], &here, 1, &there, 1, 0));
    }
    attempt(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static void capabilities(void) {
    unsigned header[2] = {0x20080522, 0}, data[6] = {0};
    syscall(SYS_capget, header, data);
    printf("%u %u %u\n", data[0] | data[3], data[1] | data[4], data[2] | data[5]);
}

static void another_name(char **arguments) {
    memset(arguments[0], 'x', strlen(arguments[0]));
    attempt(prctl(PR_SET_NAME, "judge"));
}

/* ---- the kernel ---- */

static void handles(void) {
    struct { struct file_handle head; char rest[128]; } handle = {.head = {.handle_bytes = 128}};
    int where = 0;
    attempt(name_to_handle_at(AT_FDCWD, answer, &handle.head, &where, 0));
    attempt(open_by_handle_at(AT_FDCWD, &handle.head, O_RDONLY));
}

static void calls_of_32_bits(void) {
#ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid */) : "memory", "r8", "r9", "r10", "r11");
    if (result == -ENOSYS) puts("no such calls");
    else attempt(result);
#else
    puts("no such calls");
#endif
}

static void calls_of_x32(void) {
#ifdef __x86_64__
    long numbers[] = {39, 57, 41, 101, 520, 521, 526, 545};
    for (size_t i = 0; i < LENGTH(numbers); i++) attempt(syscall(numbers[i] | 0x40000000, 0, 0, 0, 0, 0));
#else
    puts("no such calls");
#endif
}

static void unknown_calls(void) {
    long numbers[] = {470, 511, 1000, 0x7fffffff, 0x80000000L, 0xffffffffL};
    for (size_t i = 0; i < LENGTH(numbers); i++) attempt(syscall(numbers[i], 0, 0, 0, 0, 0, 0));
}

static void rings(void) {
    char parameters[120] = "";
    attempt(syscall(425, 8, parameters));
    attempt(syscall(426, 0, 1, 1, 0, NULL, 0));
    attempt(syscall(427, 0, 0, NULL, 0));
    unsigned long context = 0;
    attempt(syscall(SYS_io_setup, 8, &context));
}

static void keys(void) {
    attempt(syscall(SYS_add_key, "user", "x", "y", 1, -3));
    attempt(syscall(SYS_request_key, "user", "x", NULL, 0));
    attempt(syscall(SYS_keyctl, 1, NULL));
}

static void kernel_programs(void) {
    char attributes[128] = "";
    for (int command = 0; command < 6; command++) attempt(syscall(SYS_bpf, command, attributes, sizeof attributes));
}

static void counters(void) {
    char attributes[128] = "";
    attempt(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
    attempt(syscall(SYS_perf_event_open, attributes, judge, -1, -1, 0));
}

static void page_faults(void) {
    attempt(syscall(SYS_userfaultfd, 0));
    attempt(syscall(SYS_userfaultfd, 1));
}

static void clone_by_structure(void) {
    uint64_t arguments[11] = {0, 0, 0, 0, SIGCHLD};
    long made = syscall(435, arguments, 64);
    if (made == 0) syscall(SYS_exit_group, 0);
    attempt(made);
    arguments[0] = CLONE_NEWUSER;
    attempt(syscall(435, arguments, 64));
}

static void clone_with_high_word(void) {
    attempt(child_by(SYS_clone, HIGH | SIGCHLD));
    attempt(child_by(SYS_clone, HIGH | CLONE_NEWUSER | SIGCHLD));
    attempt(child_by(SYS_clone, HIGH << 1 | CLONE_NEWUSER));
}

static const unsigned long kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET,
                                      CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};

static void new_namespaces(void) {
    for (size_t i = 0; i < LENGTH(kinds); i++) attempt(syscall(SYS_unshare, kinds[i]));
    for (size_t i = 0; i < LENGTH(kinds); i++) attempt(child_by(SYS_clone, kinds[i] | SIGCHLD));
}

static void thread_in_namespace(void) {
    for (size_t i = 0; i < LENGTH(kinds); i++)
        attempt(child_by(SYS_clone, kinds[i] | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM));
}

static void mounts(void) {
    attempt(mount("none", "/", "tmpfs", 0, NULL));
    attempt(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    attempt(umount2("/", MNT_DETACH));
    for (long number = 428; number <= 433; number++) attempt(syscall(number, 0, "/", 0, 0, 0)); /* open_tree ... fspick */
    attempt(syscall(442, -100, "/", 0, NULL, 0));
}

static void another_root(void) {
    attempt(chroot("/usr"));
    attempt(syscall(SYS_pivot_root, ".", "."));
}

static void others_namespaces(void) {
    int fd = open("/proc/self/ns/mnt", O_RDONLY);
    attempt(syscall(SYS_setns, fd, 0));
    attempt(syscall(SYS_setns, 0, CLONE_NEWUSER));
}

static void administration(void) {
    attempt(syscall(SYS_init_module, NULL, 0, ""));
    attempt(syscall(SYS_finit_module, 0, "", 0));
    attempt(syscall(SYS_delete_module, "x", 0));
    attempt(syscall(SYS_kexec_load, 0, 0, NULL, 0));
    attempt(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, NULL));
    attempt(syscall(SYS_swapon, "/nonexistent", 0));
    attempt(syscall(SYS_quotactl, 0, NULL, 0, NULL));
    attempt(syscall(SYS_acct, NULL));
    attempt(syscall(SYS_syslog, 3, outcomes, 0));
    attempt(syscall(SYS_vhangup));
    attempt(syscall(SYS_sethostname, "x", 1));
    attempt(syscall(SYS_setdomainname, "x", 1));
}

static void ports(void) {
#ifdef __x86_64__
    char block[16] = "";
    attempt(syscall(SYS_iopl, 3));
    attempt(syscall(SYS_ioperm, 0, 1, 1));
    attempt(syscall(SYS_modify_ldt, 1, block, sizeof block));
#else
    puts("no such calls");
#endif
}

static void moved_pages(void) {
    attempt(syscall(SYS_mbind, NULL, 0, 0, NULL, 0, 0));
    attempt(syscall(SYS_set_mempolicy, 0, NULL, 0));
    attempt(syscall(SYS_move_pages, judge, 0, NULL, NULL, NULL, 0));
    attempt(syscall(SYS_migrate_pages, judge, 0, NULL, NULL));
    attempt(syscall(SYS_remap_file_pages, NULL, 0, 0, 0, 0));
    attempt(syscall(SYS_vmsplice, 1, NULL, 0, 0));
    attempt(syscall(SYS_tee, 0, 1, 1, 0));
}

static void others_memory(void) {
    attempt(syscall(440 /* process_madvise */, 0, NULL, 0, MADV_COLD, 0));
    attempt(syscall(448 /* process_mrelease */, 0, 0));
}

static void others_descriptors(void) {
    attempt(syscall(SYS_kcmp, getpid(), judge, 0, 0, 0));
    attempt(syscall(438 /* pidfd_getfd */, 0, 3, 0));
    attempt(syscall(434 /* pidfd_open */, judge, 0));
    attempt(syscall(SYS_lookup_dcookie, 0, outcomes, 1));
}

static void others_limits(void) {
    struct rlimit64 limit = {1, 1};
    attempt(syscall(SYS_prlimit64, (long)judge, 7, &limit, NULL));
    attempt(syscall(SYS_prlimit64, (long)(HIGH | (unsigned long)getppid()), 7, &limit, NULL));
}

static void own_limits(void) {
    struct rlimit64 limit;
    attempt(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit));
    limit.rlim_cur = limit.rlim_max = 64;
    attempt(syscall(SYS_prlimit64, getpid(), RLIMIT_NOFILE, &limit, NULL));
}

static const struct { const char *name; void (*attack)(void); } attacks[] = {
    {"read other files by handles", handles},
    {"make processes in other ways", other_forks},
    {"memory of the children that come last of a thousand", last_children},
    {"signal others in other ways", other_signals},
    {"trace, read and write the zygote", tracing},
    {"capabilities that come back to root", capabilities},
    {"growing fast in many threads", fast_growth},
    {"stacks of many threads", stacks},
    {"memory after the first thread has ended", orphaned_memory},
    {"page tables", page_tables},
    {"sockets' buffers beyond the system's limit", forced_buffers},
    {"more descriptors than one program may have", more_descriptors},
    {"sockets that are closed and waited for", awaited_sockets},
    {"shared memory that a thread discards when the first has ended", discarded_by_a_thread},
    {"shared memory of which a page is kept at a low address", kept_at_low_addresses},
    {"locked memory", locked},
    {"endless recursion in C", recursion},
    {"shared memory, queues and semaphores of System V", system_v},
    {"shared memory, queues and semaphores with names", named_objects},
    {"spin in nine hundred threads", spinning_threads},
    {"spin after the first thread has ended", orphaned_spin},
    {"sleep after the first thread has ended", orphaned_sleep},
    {"sleep while threads wait in a queue", queueing_threads},
    {"threads without end", endless_threads},
    {"32-bit system calls", calls_of_32_bits},
    {"x32 system calls", calls_of_x32},
    {"system calls that do not exist", unknown_calls},
    {"rings of system calls", rings},
    {"keys", keys},
    {"programs in the kernel", kernel_programs},
    {"performance counters", counters},
    {"handling its own page faults", page_faults},
    {"clone3", clone_by_structure},
    {"clone with flags in the high word", clone_with_high_word},
    {"new namespaces", new_namespaces},
    {"a thread in its own namespace", thread_in_namespace},
    {"mounts", mounts},
    {"another root", another_root},
    {"the namespaces of others", others_namespaces},
    {"modules, reboot, swap, quotas and accounting", administration},
    {"ports and segments", ports},
    {"moving its pages and those of others", moved_pages},
    {"other users' memory", others_memory},
    {"comparing and taking others' descriptors", others_descriptors},
    {"limits of others, with a high word", others_limits},
    {"limits of itself", own_limits},
};

int main(int count, char **arguments) {
    if (count != 7) return 2;
    mark = arguments[2];
    answer = arguments[3];
    judge = atoi(arguments[6]);
    if (!strcmp(arguments[1], "change its own name and arguments")) {
        another_name(arguments);
        puts(outcomes);
        return 0;
    }
    for (size_t i = 0; i < LENGTH(attacks); i++)
        if (!strcmp(arguments[1], attacks[i].name)) {
            attacks[i].attack();
            if (*outcomes) puts(outcomes);
            return 0;
        }
    fprintf(stderr, "no attack of this name\n");
    return 2;
}
