/*
 * Starts the programs of a large Node process, which would stand still for each while the kernel copies its tables of pages.
 *
 *   spawner starter STARTS
 *
 * Descriptor 0 brings orders: the number of bytes that follow, as 4 bytes of this machine's order, and then
 *   s FOUR NICE FOLDER WORDS WORD... VARIABLES VARIABLE... FILTER   starts a program; each but FILTER ends with a zero byte
 *   r START                                                         forgets a program that has ended
 * The first word is searched for in the PATH of the variables. Each program gets the next three of the descriptors from 4
 * on; there are STARTS of these triples. They become 0, 1 and 2, or if FOUR is 1, 0, 4 and 2, and 1 is the null device. 3 is a
 * file with FILTER, if that is not empty; there are no others. A program has a session and a process group of its own.
 *
 * Descriptor 1 gets lines: "started START PID" or "failed START ERROR" for each order, and "over START STATUS SIGNAL" when the program
 * has ended. Until it is forgotten, its number is nobody else's. The starter exits when all have been started and
 * forgotten. When descriptor 0 ends it kills the process groups of those that it has not forgotten, and exits.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "spawner.h"

enum { orders = 0, reports = 1, filter_file = 3, own_output = 4, first_start = 4 };
enum { starts_max = 64, texts_max = 2048, order_max = 1 << 18 };

/* 0: not started, or forgotten. */
static pid_t running[starts_max];
static int told[starts_max];
static int starts, started, forgotten, null_device;
static sigset_t usual_mask;

struct texts {
  int count;
  char *each[texts_max + 1];
};

/* The order that is carried out. */
static struct texts words, variables;

static void kill_all(void) {
  /* The newest may not have been counted yet. */
  for (int each = 0; each < starts; each++)
    if (running[each] > 0) kill(-running[each], SIGKILL);
}

/* The orders cannot be understood, or the system refuses a thing that all programs need. */
static void give_up(const char *what) {
  const int error = errno;
  kill_all();
  errno = error;
  fail(what);
}

static void report(const char *line, int length) {
  if (write(reports, line, length) == length) return;
  kill_all();
  exit(1);
}

/* The next text of an order. */
static char *next_text(char **at, char *end) {
  char *text = *at, *zero = memchr(text, 0, end - text);
  errno = EINVAL;
  if (zero == NULL) give_up("an order");
  *at = zero + 1;
  return text;
}

static void next_texts(char **at, char *end, struct texts *texts) {
  texts->count = atoi(next_text(at, end));
  errno = E2BIG;
  if (texts->count < 0 || texts->count > texts_max) give_up("an order");
  for (int each = 0; each < texts->count; each++) texts->each[each] = next_text(at, end);
  texts->each[texts->count] = NULL;
}

/* A file in memory with this filter of system calls, above all that a program may get; -1: the system refuses it. */
static int filter_of(const char *filter, size_t size) {
  int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0) return -1;
  const int is_whole = write(file, filter, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0;
  const int above = is_whole ? fcntl(file, F_DUPFD_CLOEXEC, first_start + 3 * starts_max) : -1;
  const int error = errno;
  close(file);
  errno = error;
  return above;
}

/* Only calls of the system: until it has become the program, this process has the memory of its parent. Returns if that fails. */
static void become_program(int has_own_output, int nice, const char *folder, int filter) {
  const int first = first_start + 3 * started;
  setpriority(PRIO_PROCESS, 0, nice);
  if (setsid() < 0 || chdir(folder) < 0) return;
  if (dup2(first, 0) < 0 || dup2(first + 2, 2) < 0 || dup2(has_own_output ? null_device : first + 1, 1) < 0) return;
  if (filter >= 0 && dup2(filter, filter_file) < 0) return;
  if (has_own_output && dup2(first + 1, own_output) < 0) return;
  close_from(has_own_output ? own_output + 1 : filter >= 0 ? filter_file + 1 : filter_file);
  sigprocmask(SIG_SETMASK, &usual_mask, NULL);
  environ = variables.each;
  execvp(words.each[0], words.each);
}

/* The process of the program; 0: none could be started, for this error. */
static __attribute__((noinline)) pid_t fork_program(int has_own_output, int nice, const char *folder, int filter,
                                                    volatile int *error) {
  char **own = environ;
  pid_t child = vfork();
  if (child == 0) {
    become_program(has_own_output, nice, folder, filter);
    *error = errno;
    _exit(127);
  }
  if (child < 0) *error = errno;
  environ = own;
  if (*error == 0) return child;
  if (child > 0) waitpid(child, NULL, 0);
  return 0;
}

static void start(char *at, char *end) {
  char line[64];
  volatile int error = 0;
  const int has_own_output = atoi(next_text(&at, end)), nice = atoi(next_text(&at, end));
  const char *folder = next_text(&at, end);
  next_texts(&at, end, &words);
  next_texts(&at, end, &variables);
  errno = EINVAL;
  if (started == starts || words.count == 0) give_up("an order");
  const int has_filter = at < end;
  const int filter = has_filter ? filter_of(at, end - at) : -1;
  if (has_filter && filter < 0) error = errno;
  const pid_t child = error == 0 ? fork_program(has_own_output, nice, folder, filter, &error) : 0;
  if (filter >= 0) close(filter);
  for (int file = 0; file < 3; file++) close(first_start + 3 * started + file);
  const int this = started++;
  running[this] = child;
  if (child == 0) {
    forgotten++;
    report(line, snprintf(line, sizeof line, "failed %d %d\n", this, error));
  } else {
    report(line, snprintf(line, sizeof line, "started %d %d\n", this, (int)child));
  }
}

static void tell_ended(void) {
  char line[64];
  for (int each = 0; each < started; each++) {
    siginfo_t end = {0};
    if (running[each] == 0 || told[each]) continue;
    if (waitid(P_PID, running[each], &end, WEXITED | WNOHANG | WNOWAIT) < 0 || end.si_pid == 0) continue;
    told[each] = 1;
    const int exited = end.si_code == CLD_EXITED;
    report(line, snprintf(line, sizeof line, "over %d %d %d\n", each, exited ? end.si_status : 0,
                          exited ? 0 : end.si_status));
  }
}

static void forget(const char *text) {
  const int each = atoi(text);
  errno = EINVAL;
  if (each < 0 || each >= started || running[each] == 0 || !told[each]) give_up("an order");
  waitpid(running[each], NULL, 0);
  running[each] = 0;
  forgotten++;
}

/* Carries out the orders that have come whole. */
static void obey(void) {
  static char text[order_max];
  static size_t size;
  uint32_t length;
  ssize_t got = read(orders, text + size, sizeof text - size);
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
    kill_all();
    exit(0);
  }
  if (got > 0) size += got;
  size_t done = 0;
  while (size - done > sizeof length) {
    memcpy(&length, text + done, sizeof length);
    errno = E2BIG;
    if (length < 2 || length > sizeof text - sizeof length) give_up("an order");
    if (size - done - sizeof length < length) break;
    char *at = text + done + sizeof length, *end = at + length;
    if (*at == 's') start(at + 1, end);
    else if (end[-1] == 0) forget(at + 1);
    done += sizeof length + length;
  }
  memmove(text, text + done, size - done);
  size -= done;
}

void serve_starts(int count) {
  struct signalfd_siginfo notice;
  sigset_t notes;
  errno = EINVAL;
  if (count < 1 || count > starts_max) fail("usage");
  starts = count;
  for (int file = first_start; file < first_start + 3 * starts; file++)
    if (fcntl(file, F_SETFD, FD_CLOEXEC) < 0) fail("a descriptor");
  close_from(first_start + 3 * starts);
  close(filter_file);
  null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
  /* A program of our user may neither look into this process nor stop it for ever. */
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, SIGCONT);
  sigemptyset(&notes);
  sigaddset(&notes, SIGCHLD);
  /* It comes if the worker has died, when a report is written. */
  sigaddset(&notes, SIGPIPE);
  sigprocmask(SIG_BLOCK, &notes, &usual_mask);
  int notices = signalfd(-1, &notes, SFD_CLOEXEC);
  if (null_device < 0 || notices < 0) fail("descriptors");
  while (forgotten < starts) {
    struct pollfd files[] = {{orders, POLLIN, 0}, {notices, POLLIN, 0}};
    if (poll(files, 2, -1) < 0 && errno != EINTR) give_up("poll");
    if (files[1].revents != 0) {
      if (read(notices, &notice, sizeof notice) < 0) give_up("signals");
      tell_ended();
    }
    if (files[0].revents != 0) obey();
  }
}
