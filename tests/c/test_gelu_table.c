/* The program gelu-table as its user sees it: output, header line, errors and exit statuses. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef GELU_TABLE
#define GELU_TABLE "build/gelu-table" /* seen from the root of the repository */
#endif

typedef struct {
  char text[4096];
  int status;
} outcome;

static const char *program(void) { return getenv("GELU_TABLE") != NULL ? getenv("GELU_TABLE") : GELU_TABLE; }

/* Runs the program with the words, in the language environment given; `stream` is what is read: 1 or 2. */
static outcome run(const char *environment, const char *words, int stream) {
  char command[1024];
  snprintf(command, sizeof command, "env -u LC_ALL -u LANG %s '%s' %s %s", environment, program(), words,
           stream == 1 ? "2>/dev/null" : "2>&1 >/dev/null");
  outcome result = {"", -1};
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t length = fread(result.text, 1, sizeof result.text - 1, pipe);
  result.text[length] = '\0';
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

static void assert_prints(const char *environment, const char *words, const char *want) {
  const outcome got = run(environment, words, 1);
  assert_string_equal(got.text, want);
  assert_int_equal(got.status, 0);
}

#define HEADER "x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU\n"
#define HEADER_ZH "x\tGELU（精确）\tGELU（tanh 式）\t绝对误差\tReLU\n"
#define ROW_ONE "+1.0\t+0.841345\t+0.841192\t1.53e-04\t+1.00\n"

static void test_default_rows(void **state) {
  (void)state;
  assert_prints("", "",
                HEADER
                "-3.0\t-0.004050\t-0.003637\t4.12e-04\t+0.00\n"
                "-1.0\t-0.158655\t-0.158808\t1.53e-04\t+0.00\n"
                "-0.5\t-0.154269\t-0.154286\t1.72e-05\t+0.00\n"
                "+0.0\t+0.000000\t+0.000000\t0.00e+00\t+0.00\n"
                "+0.5\t+0.345731\t+0.345714\t1.72e-05\t+0.50\n" ROW_ONE
                "+3.0\t+2.995950\t+2.996363\t4.12e-04\t+3.00\n");
}

static void test_numbers(void **state) {
  (void)state;
  assert_prints("", "-9", HEADER "-9.0\t-0.000000\t-0.000000\t1.02e-18\t+0.00\n");
  assert_prints("", "-- -9", HEADER "-9.0\t-0.000000\t-0.000000\t1.02e-18\t+0.00\n");
  assert_prints("", "1e0", HEADER ROW_ONE);
  assert_prints("", "+1", HEADER ROW_ONE);
  assert_prints("", "10e-1", HEADER ROW_ONE);
  assert_prints("", "0.125", HEADER "+0.125\t+0.068717\t+0.068717\t7.95e-08\t+0.12\n");
  assert_prints("", "1.25e-1", HEADER "+0.125\t+0.068717\t+0.068717\t7.95e-08\t+0.12\n");
  assert_prints("", ".5", HEADER "+0.5\t+0.345731\t+0.345714\t1.72e-05\t+0.50\n");
  assert_prints("", "-.5", HEADER "-0.5\t-0.154269\t-0.154286\t1.72e-05\t+0.00\n");
  assert_prints("", "inf", HEADER "+inf\t+inf\t+inf\t0.00e+00\t+inf\n");
  assert_prints("", "-inf", HEADER "-inf\t-0.000000\t-0.000000\t0.00e+00\t+0.00\n");
}

static void test_language(void **state) {
  (void)state;
  assert_prints("", "--lang zh 1", HEADER_ZH ROW_ONE);
  assert_prints("", "--lang=zh 1", HEADER_ZH ROW_ONE);
  assert_prints("LANG=zh_CN.UTF-8", "1", HEADER_ZH ROW_ONE);
  assert_prints("LC_ALL=zh_TW.UTF-8 LANG=en_US.UTF-8", "1", HEADER_ZH ROW_ONE);
  assert_prints("LC_ALL=C LANG=zh_CN.UTF-8", "1", HEADER ROW_ONE);
  assert_prints("LANG=zh_CN.UTF-8", "--lang en 1", HEADER ROW_ONE);
  assert_prints("LC_ALL=de_DE.UTF-8", "0.5", HEADER "+0.5\t+0.345731\t+0.345714\t1.72e-05\t+0.50\n");
}

static void test_csv(void **state) {
  (void)state;
  assert_prints("", "--csv 1",
                "x,GELU (exact),GELU (tanh form),absolute error,ReLU\r\n+1.0,+0.841345,+0.841192,1.53e-04,+1.00\r\n");
}

/* Exit status 2, no table, and the word that is wrong on the error stream. */
static void assert_refuses(const char *words, const char *named) {
  assert_string_equal(run("", words, 1).text, "");
  const outcome error = run("", words, 2);
  assert_int_equal(error.status, 2);
  if (strstr(error.text, named) == NULL) print_error("'%s' is not named in: %s", named, error.text);
  assert_non_null(strstr(error.text, named));
}

static void test_errors(void **state) {
  (void)state;
  assert_refuses("nan", "nan");
  assert_refuses("1 2x 3", "2x");
  assert_refuses("0x1p3", "0x1p3");
  assert_refuses("1e", "1e");
  assert_refuses("1e400", "1e400");
  assert_refuses("-- -1e999", "-1e999");
  assert_refuses("1,5", "1,5");
  assert_refuses("''", "''");
  assert_refuses("' 1'", " 1");
  assert_refuses("'1 '", "1 ");
  assert_refuses(".", ".");
  assert_refuses("-- --csv", "--csv");
  assert_refuses("--colour", "--colour");
  assert_refuses("-x", "-x");
  assert_refuses("--lang", "--lang");
  assert_refuses("--lang fr", "fr");
  assert_refuses("infinite", "infinite");
}

static void test_help(void **state) {
  (void)state;
  const outcome help = run("", "--help", 1);
  assert_int_equal(help.status, 0);
  assert_non_null(strstr(help.text, "--lang zh|en"));
}

static void test_full_disk_is_an_error(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0) skip();
  char command[1024];
  snprintf(command, sizeof command, "'%s' 1 >/dev/full 2>/dev/null", program());
  const int status = system(command);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_default_rows),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_language),
      cmocka_unit_test(test_csv),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_help),
      cmocka_unit_test(test_full_disk_is_an_error),
  };
  return cmocka_run_group_tests_name("gelu_table", tests, NULL, NULL);
}
