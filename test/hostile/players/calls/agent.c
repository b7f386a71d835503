/* Uses what agents in C and C++ commonly use, then prints a line for each line it reads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *work(void *given) { return given; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  char *memory = (char *)malloc(1 << 26);
  memset(memory, 1, 1 << 26);
  memory = (char *)realloc(memory, 1 << 27);
  free(memory);
  FILE *file = tmpfile();
  fputs("x", file);
  fclose(file);
  struct timespec pause = {0, 1000};
  nanosleep(&pause, NULL);
  if (system("true") != 0) return 1;
  char line[100];
  while (fgets(line, sizeof line, stdin)) fputs(line, stdout);
  return 0;
}
