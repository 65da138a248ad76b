/* SPDX-License-Identifier: MIT */
/* The grammar of metrics' expressions: see expr.h. Bison makes a parser without globals of it. */
%code requires {
#include "event/metric/expr_node.h"
}

%define api.pure full
%define api.prefix {metric_grammar_}
%define api.value.type {union metric_token}
%define api.token.prefix {TOKEN_}
%define parse.error custom
%param { struct metric_lexer *lx }

%token <number> NUMBER
%token <text>   LITERAL "literal" ID "name"
%token          MIN "min" MAX "max" D_RATIO "d_ratio" SOURCE_COUNT "source_count"
%token          HAS_EVENT "has_event" STRCMP_CPUID_STR "strcmp_cpuid_str"
%token          IF "if" ELSE "else"
%token          LESS_OR_EQUAL "<=" GREATER_OR_EQUAL ">=" EQUAL "==" UNEQUAL "!="
%type <node>    expr

%right IF ELSE
%left  '|'
%left  '^'
%left  '&'
%left  '<' '>' LESS_OR_EQUAL GREATER_OR_EQUAL EQUAL UNEQUAL
%left  '+' '-'
%left  '*' '/' '%'
%precedence NEGATED

%code {
/* Deep enough for METRIC_DEPTH_MOST parentheses with something in front of each. */
#define YYMAXDEPTH 10000
#define YYINITDEPTH 64

static int metric_grammar_lex(union metric_token *value, struct metric_lexer *lx)
{
	return metric_lex(value, lx);
}

/* Only for a stack that is full: the rest is yyreport_syntax_error's. */
static void metric_grammar_error(struct metric_lexer *lx, const char *message)
{
	(void)message;
	metric_fail(lx, "nested too deeply");
}

/* A node that could not be made has set the error. */
#define MAKE(result, ...)                                                                          \
	do {                                                                                       \
		(result) = __VA_ARGS__;                                                            \
		if (!(result))                                                                     \
			YYABORT;                                                                   \
	} while (0)
#define TWO(result, op, a, b) MAKE(result, metric_node(lx, op, a, b, NULL))
#define NAMED(result, op, text) MAKE(result, metric_node_text(lx, op, text))
}

%%

start: expr { lx->root = $expr; }

expr: NUMBER                    { $$ = metric_node_number(lx->arena, $1); }
    | LITERAL                   { NAMED($$, OP_LITERAL, $1); }
    | ID                        { NAMED($$, OP_ID, $1); }
    | '(' expr ')'              { $$ = $2; }
    | '-' expr %prec NEGATED    { MAKE($$, metric_node(lx, OP_MINUS, $2, NULL, NULL)); }
    | expr IF expr ELSE expr    { MAKE($$, metric_node(lx, OP_IF, $1, $3, $5)); }
    | expr '|' expr             { TWO($$, OP_OR, $1, $3); }
    | expr '^' expr             { TWO($$, OP_XOR, $1, $3); }
    | expr '&' expr             { TWO($$, OP_AND, $1, $3); }
    | expr '<' expr             { TWO($$, OP_LESS, $1, $3); }
    | expr '>' expr             { TWO($$, OP_GREATER, $1, $3); }
    | expr LESS_OR_EQUAL expr   { TWO($$, OP_LESS_OR_EQUAL, $1, $3); }
    | expr GREATER_OR_EQUAL expr { TWO($$, OP_GREATER_OR_EQUAL, $1, $3); }
    | expr EQUAL expr           { TWO($$, OP_EQUAL, $1, $3); }
    | expr UNEQUAL expr         { TWO($$, OP_UNEQUAL, $1, $3); }
    | expr '+' expr             { TWO($$, OP_ADD, $1, $3); }
    | expr '-' expr             { TWO($$, OP_SUBTRACT, $1, $3); }
    | expr '*' expr             { TWO($$, OP_MULTIPLY, $1, $3); }
    | expr '/' expr             { TWO($$, OP_DIVIDE, $1, $3); }
    | expr '%' expr             { TWO($$, OP_REMAINDER, $1, $3); }
    | MIN '(' expr ',' expr ')' { TWO($$, OP_MIN, $3, $5); }
    | MAX '(' expr ',' expr ')' { TWO($$, OP_MAX, $3, $5); }
    | D_RATIO '(' expr ',' expr ')' { TWO($$, OP_RATIO, $3, $5); }
    | SOURCE_COUNT '(' ID ')'   { NAMED($$, OP_SOURCES, $3); }
    | HAS_EVENT '(' ID ')'      { NAMED($$, OP_HAS_EVENT, $3); }
    | STRCMP_CPUID_STR '(' ID ')' { NAMED($$, OP_CPUID, $3); }

%%

static int yyreport_syntax_error(const yypcontext_t *context, struct metric_lexer *lx)
{
	yysymbol_kind_t only[2];
	/* 0 when more would fit */
	bool told = yypcontext_expected_tokens(context, only, 2) == 1;
	const char *wanted = told ? yysymbol_name(only[0]) : "";

	if (lx->p == lx->token)
		metric_fail(lx, "something is missing at the end%s%s", told ? ": " : "", wanted);
	else
		metric_fail(lx, "unexpected '%.*s'%s%s", (int)MIN(lx->p - lx->token, 60), lx->token,
			    told ? " instead of " : "", wanted);
	return 0;
}
