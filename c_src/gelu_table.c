/* gelu-table [--lang zh|en] [--csv] [--] [x ...]: exact GELU, its tanh form and ReLU side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activation.h"

enum { EXIT_WRONG_USE = 2 };

enum { most_decimals = 20 };

typedef struct {
  int chinese, csv;
  int count; /* of the words that are numbers; the words themselves stay in argv */
} options;

static const char *const default_words[] = {"-3", "-1", "-0.5", "0", "0.5", "1", "3"};

static const char *const headers[2][5] = {
    {"x", "GELU (exact)", "GELU (tanh form)", "absolute error", "ReLU"},
    {"x", "GELU（精确）", "GELU（tanh 式）", "绝对误差", "ReLU"},
};

static const char usage[] =
    "usage: gelu-table [--lang zh|en] [--csv] [--] [x ...]\n"
    "\n"
    "Prints x, exact GELU, the tanh form, their absolute difference and ReLU, one line for each x\n"
    "(default: -3 -1 -0.5 0 0.5 1 3), separated by tabs.\n"
    "\n"
    "  x             a decimal number, with exponent if wanted, or inf; -9 is a number, not an option\n"
    "  --lang zh|en  language of the header line (default: zh where LC_ALL or LANG begins with zh, else en)\n"
    "  --csv         separated by commas instead (RFC 4180)\n"
    "  --            no options after this\n"
    "  --help        this text\n";

/* Length of the decimal number at `word` without its sign and exponent, or 0; the digits after the point. */
static size_t digits_of(const char *word, size_t *after_point) {
  size_t k = strspn(word, "0123456789");
  size_t digits = k;
  *after_point = 0;
  if (word[k] == '.') {
    *after_point = strspn(word + k + 1, "0123456789");
    digits += *after_point;
    k += 1 + *after_point;
  }
  return digits > 0 ? k : 0;
}

/* As many digits after the point as the input has, its exponent counted in. */
static int decimals_shown(long after_point, long exponent) {
  if (exponent > 1000) exponent = 1000;
  if (exponent < -1000) exponent = -1000;
  const long shown = after_point - exponent;
  return shown < 1 ? 1 : shown > most_decimals ? most_decimals : (int)shown;
}

typedef enum { NUMBER, NOT_A_NUMBER, TOO_LARGE } reading;

/* Whether the whole word is a number as described in `usage`; decimals: how many digits after the point it shows. */
static reading read_number(const char *word, double *x, int *decimals) {
  const char *body = word + (*word == '-' || *word == '+');
  *decimals = 1;
  if (strcmp(body, "inf") == 0) {
    *x = *word == '-' ? -(double)INFINITY : (double)INFINITY;
    return NUMBER;
  }
  size_t after_point = 0;
  size_t length = digits_of(body, &after_point);
  if (length == 0) return NOT_A_NUMBER;
  long exponent = 0;
  if (body[length] == 'e' || body[length] == 'E') {
    const size_t sign = body[length + 1] == '-' || body[length + 1] == '+';
    const size_t digits = strspn(body + length + 1 + sign, "0123456789");
    if (digits == 0) return NOT_A_NUMBER;
    exponent = strtol(body + length + 1, NULL, 10);
    length += 1 + sign + digits;
  }
  if (body[length] != '\0') return NOT_A_NUMBER;
  *x = strtod(word, NULL); /* without setlocale the locale is "C": the point is a point */
  if (!isfinite(*x)) return TOO_LARGE;
  *decimals = decimals_shown((long)after_point, exponent);
  return NUMBER;
}

/* "-9", "-.5" and "-inf" are numbers, and so is what only begins like one ("-9x"), to be refused as such. */
static int is_option(const char *word) {
  if (word[0] != '-' || word[1] == '\0') return 0;
  return strchr("0123456789.", word[1]) == NULL && strncmp(word + 1, "inf", 3) != 0;
}

static int environment_is_chinese(void) {
  const char *language = getenv("LC_ALL");
  if (language == NULL || *language == '\0') language = getenv("LANG");
  return language != NULL && strncmp(language, "zh", 2) == 0;
}

/* Instead of an exit status. */
enum { GO_ON = -1 };

static int complain(const char *what, const char *word) {
  fprintf(stderr, "gelu-table: %s: '%s'\n", what, word);
  return EXIT_WRONG_USE;
}

static int take_language(options *o, const char *word) {
  if (word == NULL) return complain("an option needs a value, zh or en", "--lang");
  if (strcmp(word, "zh") != 0 && strcmp(word, "en") != 0) return complain("not a language, zh or en", word);
  o->chinese = word[0] == 'z';
  return GO_ON;
}

/* One option; `k` is its place and is moved on over its value. GO_ON or the exit status. */
static int take_option(options *o, int argc, char **argv, int *k) {
  const char *word = argv[*k];
  if (strcmp(word, "--csv") == 0) {
    o->csv = 1;
    return GO_ON;
  }
  if (strncmp(word, "--lang=", 7) == 0) return take_language(o, word + 7);
  if (strcmp(word, "--lang") == 0) {
    *k += 1;
    return take_language(o, *k < argc ? argv[*k] : NULL);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    fputs(usage, stdout);
    return EXIT_SUCCESS;
  }
  return complain("unknown option (see --help)", word);
}

/* Collects the words that are numbers in `words`. GO_ON or the exit status. */
static int read_words(options *o, int argc, char **argv, const char **words) {
  int options_end = 0;
  for (int k = 1; k < argc; k++) {
    if (!options_end && strcmp(argv[k], "--") == 0) {
      options_end = 1;
    } else if (!options_end && is_option(argv[k])) {
      const int status = take_option(o, argc, argv, &k);
      if (status != GO_ON) return status;
    } else {
      double x;
      int decimals;
      const reading r = read_number(argv[k], &x, &decimals);
      if (r == NOT_A_NUMBER) return complain("not a decimal number", argv[k]);
      if (r == TOO_LARGE) return complain("too large for a float64", argv[k]);
      words[o->count++] = argv[k];
    }
  }
  return GO_ON;
}

static void print_header(const options *o) {
  for (int k = 0; k < 5; k++) printf("%s%s", k == 0 ? "" : o->csv ? "," : "\t", headers[o->chinese][k]);
  fputs(o->csv ? "\r\n" : "\n", stdout);
}

static void print_row(const options *o, const char *word) {
  const activation *exact = activation_find("gelu"), *tanh_form = activation_find("gelu_tanh");
  const activation *relu = activation_find("relu");
  double x = 0;
  int decimals = 1;
  read_number(word, &x, &decimals); /* it was one before */
  const double p[] = {tanh_form->parameters[0].value, tanh_form->parameters[1].value};
  const double a = exact->evaluate[0](x, NULL), b = tanh_form->evaluate[0](x, p);
  const double error = a == b ? 0 : fabs(a - b); /* both may be infinite */
  const char *separator = o->csv ? "," : "\t";
  printf("%+.*f%s%+.6f%s%+.6f%s%.2e%s%+.2f%s", decimals, x, separator, a, separator, b, separator, error, separator,
         relu->evaluate[0](x, NULL), o->csv ? "\r\n" : "\n");
}

int main(int argc, char **argv) {
  options o = {environment_is_chinese(), 0, 0};
  const char **words = calloc((size_t)(argc > 0 ? argc : 1), sizeof *words);
  if (words == NULL) return complain("no memory for the list", "x ...");
  int status = read_words(&o, argc, argv, words);
  if (status == GO_ON) {
    const char *const *shown = o.count > 0 ? words : default_words;
    const int count = o.count > 0 ? o.count : (int)(sizeof default_words / sizeof default_words[0]);
    print_header(&o);
    for (int k = 0; k < count; k++) print_row(&o, shown[k]);
    status = EXIT_SUCCESS;
  }
  /* Also what failed before the last of it. */
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_SUCCESS)
    status = complain("cannot write", "standard output");
  free(words);
  return status;
}
