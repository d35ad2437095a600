/* Memory: the library asks for none, so nothing in it can fail or leak for want of it; gelu-table asks once, and when
 * it gets none it says so, leaves nothing behind and works again. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* gelu_table.c's main, and the allocator that it is linked with (the Makefile renames and wraps). */
int gelu_table_main(int argc, char **argv);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

static struct {
  int counting;
  int fails; /* the number of the request that fails */
  int asked, held;
} allocator;

/* Whether this request is to fail. */
static int is_refused(void) { return allocator.counting && ++allocator.asked == allocator.fails; }

static void *handed_out(void *block) {
  allocator.held += allocator.counting && block != NULL;
  return block;
}

void *__wrap_malloc(size_t size) { return is_refused() ? NULL : handed_out(__real_malloc(size)); }

void *__wrap_calloc(size_t count, size_t size) { return is_refused() ? NULL : handed_out(__real_calloc(count, size)); }

void *__wrap_realloc(void *block, size_t size) {
  if (is_refused()) return NULL;
  allocator.held -= allocator.counting && block != NULL;
  return handed_out(__real_realloc(block, size));
}

void __wrap_free(void *block) {
  allocator.held -= allocator.counting && block != NULL;
  __real_free(block);
}

/* ---- the program ---- */

/* Its exit status, with request number `fails` refused (0: none); what it prints goes nowhere. */
static int run_table(int fails) {
  char *words[] = {(char[]){"gelu-table"}, (char[]){"--csv"}, (char[]){"-3"}, (char[]){"1e300"}, NULL};
  fflush(stdout), fflush(stderr);
  const int out = dup(1), error = dup(2), nowhere = open("/dev/null", O_WRONLY);
  assert_true(out >= 0 && error >= 0 && nowhere >= 0);
  dup2(nowhere, 1), dup2(nowhere, 2);
  allocator.counting = 1, allocator.fails = fails, allocator.asked = allocator.held = 0;
  const int status = gelu_table_main(4, words);
  allocator.counting = 0;
  fflush(stdout), fflush(stderr);
  dup2(out, 1), dup2(error, 2);
  close(out), close(error), close(nowhere);
  return status;
}

static void test_every_request_refused_in_turn(void **state) {
  (void)state;
  assert_int_equal(run_table(0), 0);
  const int requests = allocator.asked;
  assert_true(requests > 0);
  for (int k = 1; k <= requests; k++) {
    assert_int_equal(run_table(k), 2);
    assert_int_equal(allocator.held, 0);
    assert_int_equal(run_table(0), 0);
    assert_int_equal(allocator.held, 0);
  }
}

/* ---- the library ---- */

#ifndef LIBRARY
#error "the Makefile names the objects that are searched"
#endif

/* How many symbols the library leaves to others whose whole name matches. */
static int wanted_symbols(const char *names) {
  char command[4096];
  snprintf(command, sizeof command, "nm -u %s | grep -c -E '^ *U _*(%s)(@.*)?$'", LIBRARY, names);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  int count = -1;
  assert_int_equal(fscanf(pipe, "%d", &count), 1);
  pclose(pipe);
  return count;
}

static void test_the_library_allocates_nothing(void **state) {
  (void)state;
  assert_true(wanted_symbols("memcpy|special_exp") > 0); /* or the search finds nothing at all */
  assert_int_equal(wanted_symbols("malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|memalign|valloc|"
                                  "strdup|strndup|asprintf|getline|alloca|mmap|sbrk|fopen|free"),
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_request_refused_in_turn),
      cmocka_unit_test(test_the_library_allocates_nothing),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
