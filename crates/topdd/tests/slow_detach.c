/* A library that is loaded before the C library: `pthread_detach` as in glibc 2.36 for x86-64, with a pause of 20 ms, in the
 * main thread only, before it reads the descriptor of the thread for the last time. A program that detaches a thread that
 * may end at once then reads unmapped memory. With another C library, the call only goes on to it. Each call appends a byte
 * to the file that DETACH_LOG names.
 *
 *     cc -shared -fPIC -o slow_detach.so slow_detach.c
 *     LD_PRELOAD=$PWD/slow_detach.so DETACH_LOG=$PWD/calls PROGRAM
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TID = 0x2d0, JOINID = 0x620, CANCELHANDLING = 0x308, EXITING = 0x10 };

static void log_call(void) {
    const char *path = getenv("DETACH_LOG");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    if (file < 0) return;
    if (write(file, ".", 1) != 1) _exit(3);
    close(file);
}

int pthread_detach(pthread_t thread) {
    char *descriptor = (char *)thread;
    log_call();
    if (strcmp(gnu_get_libc_version(), "2.36") != 0) return ((int (*)(pthread_t))dlsym(RTLD_NEXT, "pthread_detach"))(thread);
    if (*(int *)(descriptor + TID) < 0) return ESRCH;
    char **join_id = (char **)(descriptor + JOINID);
    if (!__sync_bool_compare_and_swap(join_id, (char *)0, descriptor)) return *join_id == descriptor ? EINVAL : 0;
    if (getpid() == syscall(SYS_gettid)) usleep(20000);
    if (*(volatile unsigned char *)(descriptor + CANCELHANDLING) & EXITING) { /* the C library frees the descriptor here */ }
    return 0;
}
