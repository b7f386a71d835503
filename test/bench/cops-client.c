/* A bot of 2005 that stands still: what a game of programs costs without a runtime. Usage: bot ROLE NAME. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPS 5

static char line[1024], me[128], cops[COPS][128], loc[128];

static const char *hear(void) {
  if (fgets(line, sizeof line, stdin) == NULL) exit(0);
  line[strcspn(line, "\r\n")] = 0;
  if (strcmp(line, "game-over") == 0) exit(0);
  return line;
}

static void until(const char *last) {
  while (strcmp(hear(), last) != 0) {
    char bot[128], place[128];
    if (sscanf(line, "pl: %127s %127s", bot, place) == 2 && strcmp(bot, me) == 0) strcpy(loc, place);
  }
}

int main(int argc, char **argv) {
  const char *role = argv[1];
  int found = 0;
  if (argc < 3) return 2;
  printf("reg: %s %s\n", argv[2], role);
  fflush(stdout);
  while (strcmp(hear(), "nod\\") != 0) {
    sscanf(line, "name: %127s", me);
    if (found < COPS && sscanf(line, "cop: %127s", cops[found]) == 1) found++;
  }
  until("wsk/");
  for (;;) {
    until("wor/");
    if (strcmp(role, "robber") != 0) {
      printf("inf\\\ninf/\n");
      fflush(stdout);
      until("from/");
      printf("plan\\\nplan/\n");
      fflush(stdout);
      until("from/");
      printf("vote\\\n");
      for (int cop = 0; cop < COPS; cop++) printf("vote: %s\n", cops[cop]);
      printf("vote/\n");
      fflush(stdout);
      hear();
    }
    printf("mov: %s %s\n", loc, role);
    fflush(stdout);
  }
}
