/*
 * Starts one process after the other for a program that is started anew for each move, so that neither the box nor a large
 * Node process is made anew for it.
 *
 *   spawner boxed|plain TURNS WRAPPERS [WRAPPER ARGUMENT...] COMMAND [ARGUMENT...]
 *   spawner starter STARTS                                                           see starter.c
 *
 * Descriptor 0 brings orders of one byte: 's' starts the command, 'k' kills what runs. Its end ends the spawner, and with
 * it everything. Descriptor 1 gets lines: "ready", once; then for each command "over STATUS SIGNAL clean|left", when it and
 * all that it started have ended. Each command gets the next three of the descriptors from 4 on as 0, 1 and 2, and no
 * others; there are TURNS of these triples. A command that cannot be executed is started by the wrapper, WRAPPERS words
 * before it, which then says why in its own words.
 *
 * boxed: every command has namespaces of its own for processes, mounts and IPC, with empty file systems in memory, so that
 * the kernel ends and drops with the first process what a command leaves. Descriptor 3 brings the filter of system calls,
 * which holds for the commands. A command sees neither the spawner nor earlier commands. The spawner has no rights but
 * in a user namespace below that of the box.
 *
 * plain: commands have all rights of the spawner. Processes that they leave become its children and are killed.
 *
 * One that cannot do its work says why on descriptor 2 and exits with 1.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "spawner.h"

enum { orders = 0, reports = 1, filter_file = 3, first_turn = 4 };
enum { instructions_max = 4096, processes_in_box = 256, descriptors_max = 256 };
/* How often, and after how many ms each, the spawner looks for what a command has left. */
enum { looks_max = 50, look_ms = 4 };

static int boxed;
static char **wrapper;
static char **command;
static struct sock_fprog filter;
static sigset_t usual_mask;
/* Shared with the first process of a command: the error for which it could not set up the namespaces. */
static volatile int *setup_error;

void fail(const char *what) {
  fprintf(stderr, "spawner: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, text, strlen(text)) < 0) fail(path);
  close(file);
}

void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  for (int file = first; file < descriptors_max; file++) close(file);
}

static void read_filter(void) {
  static struct sock_filter instructions[instructions_max];
  size_t size = 0;
  ssize_t got;
  while ((got = read(filter_file, (char *)instructions + size, sizeof instructions - size)) > 0) size += got;
  close(filter_file);
  errno = EINVAL;
  if (got < 0 || size == 0 || size == sizeof instructions || size % sizeof *instructions != 0) fail("the filter");
  filter.filter = instructions;
  filter.len = size / sizeof *instructions;
}

/* A user namespace gives the rights to make the others. */
static void enter_user_namespace(void) {
  char map[64];
  unsigned user = getuid(), group = getgid();
  if (unshare(CLONE_NEWUSER) < 0) fail("a user namespace");
  write_file("/proc/self/setgroups", "deny");
  snprintf(map, sizeof map, "%u %u 1", user, user);
  write_file("/proc/self/uid_map", map);
  snprintf(map, sizeof map, "%u %u 1", group, group);
  write_file("/proc/self/gid_map", map);
}

/* The writable folders of a box, and /proc without its first process, as in bubblewrap.ts. */
static int mount_all(void) {
  const unsigned long usual = MS_NOSUID | MS_NODEV;
  const unsigned long read_only = MS_REMOUNT | MS_BIND | MS_RDONLY;
  return mount("tmpfs", "/dev/shm", "tmpfs", usual, "mode=0755,size=16777216") < 0 ||
         mount("tmpfs", "/tmp", "tmpfs", usual, "mode=0755,size=16777216") < 0 ||
         mount("proc", "/proc", "proc", usual | MS_NOEXEC, NULL) < 0 ||
         mount("tmpfs", "/proc/1", "tmpfs", usual, "mode=0755,size=4096") < 0 ||
         mount(NULL, "/proc/1", NULL, usual | read_only, NULL) < 0 ||
         mount(NULL, "/proc", NULL, usual | MS_NOEXEC | read_only, NULL) < 0;
}

static int drop_rights(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  for (int right = 0; prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0; right++) continue;
  return syscall(SYS_capset, &header, none) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0;
}

static void become_command(int turn) {
  const int first = first_turn + 3 * turn;
  for (int file = 0; file < 3; file++) dup2(first + file, file);
  close_from(3);
  if (boxed) {
    const struct rlimit processes = {processes_in_box, processes_in_box};
    setrlimit(RLIMIT_NPROC, &processes);
  }
  sigprocmask(SIG_SETMASK, &usual_mask, NULL);
  execvp(command[0], command);
  execv(wrapper[0], wrapper);
  _exit(127);
}

/* The first process of a command's namespaces: it reaps orphans, and ends with the command. */
static void become_first(int turn) {
  int status;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (mount_all() || drop_rights()) {
    *setup_error = errno;
    _exit(1);
  }
  if (turn < 0) _exit(0);
  setsid();
  pid_t child = fork();
  if (child == 0) become_command(turn);
  close_from(0);
  if (child < 0) {
    *setup_error = errno;
    _exit(1);
  }
  for (;;) {
    pid_t ended = wait(&status);
    if (ended == child) _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    if (ended < 0 && errno != EINTR) _exit(1);
  }
}

/* turn < 0: only tries whether the namespaces can be made. */
static pid_t start(int turn) {
  const int namespaces = boxed ? CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC : 0;
  pid_t child = syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
  if (child < 0) fail("a process");
  if (child == 0) {
    if (boxed) become_first(turn);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    become_command(turn);
  }
  if (turn >= 0)
    for (int file = 0; file < 3; file++) close(first_turn + 3 * turn + file);
  return child;
}

static void check_setup(void) {
  if (*setup_error == 0) return;
  errno = *setup_error;
  fail("the namespaces of a command");
}

/*
 * True if a local socket of the box still exists. All processes that had it are gone, but a socket that was being sent over
 * itself is released a moment later, and until then its name is taken.
 */
static int has_sockets(void) {
  char text[1024];
  int file = open("/proc/self/net/unix", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? -1 : read(file, text, sizeof text);
  close(file);
  const char *end = got <= 0 ? NULL : memchr(text, '\n', got);
  return end == NULL || end + 1 < text + got;
}

/* Kills all children and waits for them. Returns whether none is left. */
static int end_children(int notices) {
  struct signalfd_siginfo notice;
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (int look = 0; look < looks_max; look++) {
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) return 1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    close(file);
    if (got < 0) return 0;
    text[got] = 0;
    for (char *at = text, *end; (*at != 0); at = end) {
      pid_t child = strtol(at, &end, 10);
      if (end == at) break;
      /* A number at the end of the text may be a part of a longer one. */
      if (*end == ' ') kill(child, SIGKILL);
    }
    struct pollfd until = {notices, POLLIN, 0};
    if (poll(&until, 1, look_ms) > 0 && read(notices, &notice, sizeof notice) < 0) return 0;
  }
  return 0;
}

static int leave_nothing(int notices) {
  if (!boxed) return end_children(notices);
  for (int look = 0; look < looks_max; look++) {
    if (!has_sockets()) return 1;
    poll(NULL, 0, look_ms);
  }
  return 0;
}

static void report(int status, int notices) {
  char line[64];
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const char *rest = leave_nothing(notices) ? "clean" : "left";
  int length = snprintf(line, sizeof line, "over %d %d %s\n", code, signal, rest);
  if (write(reports, line, length) != length) exit(1);
}

static void serve(int turns, int notices) {
  struct signalfd_siginfo notice;
  pid_t current = 0;
  int turn = 0, status;
  char order;
  for (;;) {
    struct pollfd files[] = {{orders, POLLIN, 0}, {notices, POLLIN, 0}};
    if (poll(files, 2, -1) < 0 && errno != EINTR) fail("poll");
    if (files[1].revents != 0) {
      if (read(notices, &notice, sizeof notice) < 0) fail("signals");
      for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended != current) continue;
        current = 0;
        check_setup();
        report(status, notices);
      }
    }
    if (files[0].revents != 0) {
      if (read(orders, &order, 1) != 1) {
        if (!boxed) end_children(notices);
        exit(0);
      }
      if (order == 's' && current == 0 && turn < turns) current = start(turn++);
      if (order == 'k' && current > 0) kill(current, SIGKILL);
    }
  }
}

int main(int count, char **words) {
  int status;
  sigset_t child;
  errno = EINVAL;
  if (count == 3 && strcmp(words[1], "starter") == 0) {
    serve_starts(atoi(words[2]));
    return 0;
  }
  if (count < 5) fail("usage");
  const int turns = atoi(words[2]), wrappers = atoi(words[3]);
  boxed = strcmp(words[1], "boxed") == 0;
  if (count <= 4 + wrappers) fail("usage");
  wrapper = words + 4;
  command = wrapper + wrappers;
  for (int file = first_turn; file < first_turn + 3 * turns; file++)
    if (fcntl(file, F_SETFD, FD_CLOEXEC) < 0) fail("a descriptor");
  close_from(first_turn + 3 * turns);
  setup_error = mmap(NULL, sizeof *setup_error, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (setup_error == MAP_FAILED) fail("memory");
  if (boxed) {
    read_filter();
    enter_user_namespace();
  } else if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) {
    fail("orphans");
  }
  /* Also for the first process of each command, which is of the command's user. */
  prctl(PR_SET_DUMPABLE, 0);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  if (boxed) {
    pid_t trial = start(-1);
    while (waitpid(trial, &status, 0) < 0 && errno == EINTR) continue;
    check_setup();
    if (has_sockets()) fail("the sockets of the box");
  }
  sigprocmask(SIG_BLOCK, &child, &usual_mask);
  int notices = signalfd(-1, &child, SFD_CLOEXEC);
  if (notices < 0) fail("signals");
  if (write(reports, "ready\n", 6) != 6) fail("descriptor 1");
  serve(turns, notices);
}
