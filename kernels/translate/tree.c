/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree.h"

#include "parse.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *take(CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = gzt_format("%s", text ? text : "");
    clang_disposeString(string);
    return copy;
}

static int offset_of(CXSourceLocation location)
{
    unsigned offset;
    clang_getSpellingLocation(location, NULL, NULL, NULL, &offset);
    return (int)offset;
}

/* What pointers and arrays lead to in the end. */
static CXType leaf_of(CXType type)
{
    CXType below = clang_getPointeeType(type);
    below = below.kind == CXType_Invalid ? clang_getArrayElementType(type) : below;
    return below.kind == CXType_Invalid ? type : leaf_of(clang_getCanonicalType(below));
}

/* C's name of a type, without qualifiers. An enumeration is the type of its numbers; C++ alone
 * takes memory of the two for different. */
static const char *type_name_of(CXType type, bool cxx)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Char_U || type.kind == CXType_Char_S)
        return type.kind == CXType_Char_U ? "unsigned char" : "signed char";
    const char *name = ir_bare_type(take(clang_getTypeSpelling(type)));
    CXType leaf = cxx ? type : leaf_of(type);
    if (leaf.kind != CXType_Enum)
        return name;
    const char *own = ir_bare_type(take(clang_getTypeSpelling(leaf))), *at = strstr(name, own);
    const char *number = take(clang_getTypeSpelling(
        clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(leaf)))));
    return at && *number ? gzt_format("%.*s%s%s", (int)(at - name), name, number, at + strlen(own))
                         : name;
}

static bool is_array(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_ConstantArray || kind == CXType_VariableArray;
}

/* The last child of that kind; a null cursor if there is none. */
static CXCursor find_child(CXCursor cursor, enum CXCursorKind kind)
{
    int count;
    const CXCursor *child = gzt_children(cursor, &count);
    while (count > 0 && clang_getCursorKind(child[count - 1]) != kind)
        count--;
    return count > 0 ? child[count - 1] : clang_getNullCursor();
}

/* Whether code runs where a variable ends, by an attribute for which libclang has no kind. */
static bool has_cleanup(const struct gzt_tree *tree, CXCursor cursor)
{
    int count;
    const CXCursor *child = gzt_children(cursor, &count);
    for (int i = 0; i < count; i++) {
        CXSourceRange range = clang_getCursorExtent(child[i]);
        int begin = offset_of(clang_getRangeStart(range)),
            end = offset_of(clang_getRangeEnd(range));
        if (clang_getCursorKind(child[i]) == CXCursor_UnexposedAttr &&
            strstr(gzt_clean(tree->source, begin, end), "cleanup"))
            return true;
    }
    return false;
}

static struct gzt_node *build(struct gzt_tree *tree, CXCursor cursor);

static struct gzt_node *thread(struct gzt_node *node)
{
    node->last = node;
    for (int i = 0; i < node->count; i++) {
        node->last->next = node->child[i];
        node->last = node->child[i]->last;
    }
    return node;
}

static void set_value(struct gzt_decl *decl, CXCursor cursor)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result)
        return;
    CXEvalResultKind what = clang_EvalResult_getKind(result);
    decl->constant = what == CXEval_Int || what == CXEval_Float;
    if (what == CXEval_Int)
        decl->value = (double)clang_EvalResult_getAsLongLong(result);
    if (what == CXEval_Float)
        decl->value = clang_EvalResult_getAsDouble(result);
    clang_EvalResult_dispose(result);
}

/* Whether all of a list are numbers that clang folds, or such lists; each of those is an element's,
 * by its place. */
static bool is_folded(const struct gzt_node *list)
{
    GZT_EACH (node, list) {
        if (node->constant)
            node = node->last;
        else if (!gzt_is_kind(node, "InitListExpr"))
            return false;
    }
    return true;
}

/* The numbers of a const array are those of its list. */
static void set_list(struct gzt_tree *tree, struct gzt_decl *decl, CXCursor cursor)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor)); /* const like its elements */
    CXCursor list = find_child(cursor, CXCursor_InitListExpr);
    if (type.kind == CXType_ConstantArray && !clang_Cursor_isNull(list) &&
        clang_isConstQualifiedType(type) && !clang_isVolatileQualifiedType(type)) {
        const struct gzt_node *node = build(tree, list);
        decl->list = is_folded(node) ? node : NULL;
    }
}

/* A method of a class of its own, that the call alone decides; operators of lambdas are none. */
static bool is_method(CXCursor cursor)
{
    CXCursor record = clang_getCursorSemanticParent(cursor);
    return clang_getCursorKind(cursor) == CXCursor_CXXMethod &&
           !clang_CXXMethod_isVirtual(cursor) && !clang_CXXMethod_isStatic(cursor) &&
           clang_Cursor_isNull(clang_getSpecializedCursorTemplate(record)) &&
           !clang_Cursor_isAnonymous(record) && *take(clang_getCursorSpelling(record));
}

static bool is_function(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_FunctionDecl || is_method(cursor);
}

static unsigned bucket_of(const char *usr, int offset)
{
    unsigned hash = (unsigned)offset;
    for (; *usr; usr++)
        hash = hash * 31 + (unsigned char)*usr;
    return hash % GZT_BUCKETS;
}

/* The name of a variable, with the namespaces around it. */
static const char *variable_name(CXCursor cursor)
{
    const char *name = take(clang_getCursorSpelling(cursor)), *all = name;
    CXCursor around = clang_getCursorSemanticParent(cursor);
    while (clang_getCursorKind(around) == CXCursor_Namespace) {
        const char *outer = take(clang_getCursorSpelling(around));
        all = *outer ? gzt_format("%s::%s", outer, all) : all;
        around = clang_getCursorSemanticParent(around);
    }
    return all == name ? name : gzt_format("::%s", all);
}

static struct gzt_decl *declare(struct gzt_tree *tree, CXCursor cursor)
{
    const char *usr = take(clang_getCursorUSR(cursor));
    int offset = offset_of(clang_getCursorLocation(cursor));
    bool function = is_function(cursor);

    /* A function is declared again and again; anything else is told by its place. */
    struct gzt_decl **slot = &tree->buckets[bucket_of(usr, function ? 0 : offset)];
    for (struct gzt_decl *decl = *slot; decl; decl = decl->next)
        if (strcmp(decl->usr, usr) == 0 && (function || decl->offset == offset))
            return decl;
    struct gzt_decl *decl = gzt_alloc(sizeof *decl);
    CXType type = clang_getCursorType(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    decl->usr = usr;
    decl->name = take(clang_getCursorSpelling(cursor));
    decl->offset = offset;
    decl->type_name = type_name_of(type, tree->source->cxx);
    decl->renamed = function && !clang_Cursor_isNull(find_child(cursor, CXCursor_AsmLabelAttr));
    decl->refers = clang_getResultType(type).kind == CXType_LValueReference;
    decl->variable = kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    decl->weak = gzt_is_one_of(decl->name, tree->weak);
    if (kind == CXCursor_VarDecl) {
        set_value(decl, cursor);
        decl->of_class = clang_getCursorKind(parent) == CXCursor_ClassDecl ||
                         clang_getCursorKind(parent) == CXCursor_StructDecl;
    }
    /* C++ sets what is static where it comes there first. */
    bool once = tree->source->cxx && !decl->constant && !is_array(type);
    bool lives_on = storage == CX_SC_Extern ||
                    (storage == CX_SC_Static && (once || !clang_isConstQualifiedType(type)));
    decl->automatic =
        kind == CXCursor_ParmDecl || (kind == CXCursor_VarDecl && !lives_on &&
                                      clang_isDeclaration(clang_getCursorKind(parent)) &&
                                      clang_getCursorKind(parent) != CXCursor_Namespace);
    decl->in_register = storage == CX_SC_Register;
    decl->of_thread = clang_getCursorTLSKind(cursor) != CXTLS_None ||
                      (kind == CXCursor_VarDecl && !decl->automatic &&
                       gzt_is_threadprivate(tree->source, decl->name));
    decl->name = kind == CXCursor_VarDecl ? variable_name(cursor) : decl->name;
    decl->is_array = is_array(type) && kind != CXCursor_ParmDecl;
    if (is_array(type) && !decl->is_array)
        decl->type_name = ir_pointer_to(ir_element_of(decl->type_name));
    decl->sized = ir_is_sized(decl->type_name) ? IR_UNSIZED : decl->type_name;
    decl->next = *slot;
    *slot = decl;
    decl->runs = kind == CXCursor_VarDecl &&
                 (has_cleanup(tree, cursor) || (tree->source->cxx && !clang_isPODType(type)));
    if (kind == CXCursor_VarDecl && !decl->weak)
        set_list(tree, decl, cursor);
    gzt_push(&tree->decls, &tree->decl_count, decl);
    return decl;
}

/* The object of a method: a reference. */
static struct gzt_decl *declare_self(struct gzt_tree *tree, CXCursor method)
{
    struct gzt_decl *decl = gzt_alloc(sizeof *decl);
    CXType record = clang_getCursorType(clang_getCursorSemanticParent(method));
    decl->name = "(*this)";
    decl->usr = "";
    decl->type_name = decl->sized = gzt_format("%s &", type_name_of(record, true));
    decl->offset = offset_of(clang_getCursorLocation(method));
    decl->variable = decl->automatic = true;
    gzt_push(&tree->decls, &tree->decl_count, decl);
    return decl;
}

static struct gzt_node *build_body(struct gzt_tree *tree, CXCursor block, struct gzt_decl *self)
{
    struct gzt_decl *around = tree->self;
    tree->self = self;
    struct gzt_node *body = build(tree, block);
    body->decl = self;
    tree->self = around;
    return body;
}

/* A function, with its parameters and its body if it is defined in the text. */
static struct gzt_decl *defined(struct gzt_tree *tree, CXCursor cursor)
{
    struct gzt_decl *decl = declare(tree, cursor), *self = NULL;
    CXCursor definition = clang_getCursorDefinition(cursor);
    if (decl->body || clang_Cursor_isNull(definition))
        return decl;
    CXCursor block = find_child(definition, CXCursor_CompoundStmt);
    if (clang_Cursor_isNull(block))
        return decl;
    /* First, so that a function that calls itself ends. */
    decl->body = gzt_alloc(sizeof *decl->body);
    if (is_method(cursor)) {
        self = declare_self(tree, definition);
        gzt_push(&decl->parameters, &decl->parameter_count, self);
    }
    int count = clang_Cursor_getNumArguments(definition);
    for (int i = 0; i < count; i++)
        gzt_push(&decl->parameters, &decl->parameter_count,
                 build(tree, clang_Cursor_getArgument(definition, (unsigned)i))->decl);
    decl->body = build_body(tree, block, self);
    return decl;
}

static enum gzt_kind kind_of(enum CXCursorKind kind)
{
    static const struct {
        enum CXCursorKind from;
        enum gzt_kind to;
    } kinds[] = {{CXCursor_IntegerLiteral, GZT_LITERAL_INT},
                 {CXCursor_CharacterLiteral, GZT_LITERAL_INT},
                 {CXCursor_FloatingLiteral, GZT_LITERAL_FLOAT},
                 {CXCursor_DeclRefExpr, GZT_REF},
                 {CXCursor_MemberRefExpr, GZT_MEMBER},
                 {CXCursor_ArraySubscriptExpr, GZT_SUBSCRIPT},
                 {CXCursor_CallExpr, GZT_CALL},
                 {CXCursor_UnaryOperator, GZT_UNARY},
                 {CXCursor_BinaryOperator, GZT_BINARY},
                 {CXCursor_CompoundAssignOperator, GZT_BINARY},
                 {CXCursor_ConditionalOperator, GZT_TERNARY},
                 {CXCursor_ParenExpr, GZT_PAREN},
                 {CXCursor_CStyleCastExpr, GZT_CAST},
                 {CXCursor_CXXStaticCastExpr, GZT_CAST},
                 {CXCursor_CXXFunctionalCastExpr, GZT_CAST},
                 {CXCursor_CXXBoolLiteralExpr, GZT_LITERAL_INT},
                 {CXCursor_UnexposedExpr, GZT_IMPLICIT},
                 {CXCursor_ForStmt, GZT_FOR},
                 {CXCursor_IfStmt, GZT_IF},
                 {CXCursor_CompoundStmt, GZT_BLOCK},
                 {CXCursor_DeclStmt, GZT_DECL},
                 {CXCursor_VarDecl, GZT_VARIABLE},
                 {CXCursor_ParmDecl, GZT_VARIABLE},
                 {CXCursor_ReturnStmt, GZT_RETURN},
                 {CXCursor_NullStmt, GZT_EMPTY}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].from == kind)
            return kinds[i].to;
    return GZT_UNKNOWN;
}

static void build_children(struct gzt_tree *tree, struct gzt_node *node, CXCursor cursor)
{
    int count;
    const CXCursor *child = gzt_children(cursor, &count);
    for (int i = 0; i < count && !tree->source->failed; i++) {
        enum CXCursorKind kind = clang_getCursorKind(child[i]);
        if (kind == CXCursor_TypeRef && node->kind == GZT_VARIABLE && ir_is_sized(node->type_name))
            build_children(tree, node, clang_getCursorReferenced(child[i]));
        if (kind != CXCursor_TypeRef && kind != CXCursor_NamespaceRef &&
            kind != CXCursor_ParmDecl && !clang_isAttribute(kind))
            gzt_push(&node->child, &node->count, build(tree, child[i]));
    }
}

/* The sign for which C++ has a word. */
static const char *sign_of(const char *op)
{
    static const struct {
        const char *word, *sign;
    } words[] = {{"and", "&&"},    {"or", "||"},    {"not", "!"},    {"not_eq", "!="},
                 {"bitand", "&"},  {"bitor", "|"},  {"xor", "^"},    {"compl", "~"},
                 {"and_eq", "&="}, {"or_eq", "|="}, {"xor_eq", "^="}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, op) == 0)
            return words[i].sign;
    return op;
}

/* libclang up to 16 does not tell the operator: it is the text around the operands. */
static const char *operator_of(const struct gzt_source *source, const struct gzt_node *node)
{
    bool two = node->kind == GZT_BINARY;
    if (node->count != (two ? 2 : 1))
        return "";
    int begin = two ? node->child[0]->end : node->begin, end = node->child[two]->begin;
    return end > begin ? sign_of(gzt_clean(source, begin, end))
                       : gzt_format("x%s", gzt_clean(source, node->child[0]->end, node->end));
}

/* The name of a function of std::vector that is called, else "". */
static const char *container_function(CXCursor callee)
{
    static const char vector[] = "c:@N@std@S@vector>";
    bool is = strncmp(take(clang_getCursorUSR(callee)), vector, sizeof vector - 1) == 0;
    return is ? take(clang_getCursorSpelling(callee)) : "";
}

/* The member that a call calls, with its object below it; NULL if that is not understood. */
static const struct gzt_node *called_member(struct gzt_tree *tree, CXCursor call)
{
    struct gzt_node whole = {.count = 0};
    build_children(tree, &whole, call);
    const struct gzt_node *member = whole.count ? gzt_bare(whole.child[0]) : NULL;
    return member && member->kind == GZT_MEMBER && member->count == 1 ? member : NULL;
}

/* Of a container, an element by its index is a subscript, as are a.back() and a.front(), without an
 * index; size() is a member, a.swap(b) a call of swap with two arguments, and a.data() a call with
 * a and that name as its operator, as a = b is; the operator of a constructor is "construct". */
static void build_container(struct gzt_tree *tree, struct gzt_node *node, CXCursor cursor,
                            CXCursor callee)
{
    static const char *const members[] = {"back", "front", "data", "size", "swap", NULL};
    static const char *const ends[] = {"back", "front", NULL};
    const char *name = container_function(callee);

    if (strcmp(name, "operator[]") == 0 && node->count == 2) {
        node->kind = GZT_SUBSCRIPT;
        /* Below zero, what the index becomes in the operator's type is no element of any. */
        while (node->child[1]->kind == GZT_IMPLICIT && node->child[1]->count == 1)
            node->child[1] = node->child[1]->child[0];
    }
    if (strcmp(name, "operator=") == 0)
        node->op = name;
    if (*name && clang_getCursorKind(callee) == CXCursor_Constructor)
        node->op = "construct";
    if (!gzt_is_one_of(name, members))
        return;
    bool swap = strcmp(name, "swap") == 0;
    const struct gzt_node *member = called_member(tree, cursor);
    if (!member || (swap && node->count != 1))
        return;
    node->op = name;
    node->is_size = strcmp(name, "size") == 0;
    node->kind = node->is_size ? GZT_MEMBER : gzt_is_one_of(name, ends) ? GZT_SUBSCRIPT : GZT_CALL;
    if (swap)
        node->decl = declare(tree, callee);
    gzt_push(&node->child, &node->count, member->child[0]);
}

/* A node that the program does not write, in place of another, whose object has a type. */
static struct gzt_node *unwritten(const struct gzt_node *in_place_of, enum gzt_kind kind,
                                  const char *op, const char *type_name)
{
    struct gzt_node *node = gzt_alloc(sizeof *node);
    *node = (struct gzt_node){.kind = kind,
                              .begin = in_place_of->begin,
                              .end = in_place_of->end,
                              .type = IR_OTHER,
                              .type_name = type_name,
                              .op = op};
    return node;
}

/* The object of the method that is built, as the child of a node. */
static void push_self(const struct gzt_tree *tree, struct gzt_node *node)
{
    struct gzt_node *self = unwritten(node, GZT_REF, "", gzt_class_of(tree->self));
    self->decl = tree->self;
    gzt_push(&node->child, &node->count, thread(self));
}

/* The object whose method a call names; NULL if that is not understood. */
static struct gzt_node *object_of(struct gzt_tree *tree, CXCursor call)
{
    const struct gzt_node *member = called_member(tree, call);
    struct gzt_node *object = member ? member->child[0] : NULL;
    if (!object || object->type != IR_POINTER)
        return object;
    struct gzt_node *to = unwritten(object, GZT_UNARY, "*", ir_element_of(object->type_name));
    gzt_push(&to->child, &to->count, object);
    return thread(to);
}

/* A method's object is its first argument, as an operator's is. */
static void add_object(struct gzt_tree *tree, struct gzt_node *node, CXCursor cursor)
{
    const struct gzt_decl *method = node->decl;
    bool has = node->count == method->parameter_count;
    struct gzt_node *object = !method->body ? NULL : has ? node->child[0] : object_of(tree, cursor);
    if (!object || strcmp(object->type_name, gzt_class_of(method->parameters[0])) != 0) {
        node->decl = NULL;
    } else if (!has) {
        gzt_push(&node->child, &node->count, object);
        memmove(node->child + 1, node->child, (size_t)(node->count - 1) * sizeof *node->child);
        node->child[0] = object;
    }
}

/* The children of a call are its arguments. */
static void build_call(struct gzt_tree *tree, struct gzt_node *node, CXCursor cursor)
{
    CXCursor callee = clang_getCursorReferenced(cursor);
    int count = clang_Cursor_getNumArguments(cursor);

    if (!clang_Cursor_isNull(callee) && is_function(callee))
        node->decl = defined(tree, callee);
    for (int i = 0; i < count; i++) {
        struct gzt_node *argument = build(tree, clang_Cursor_getArgument(cursor, (unsigned)i));
        /* One that the parameter brings stands nowhere. */
        if (argument->kind == GZT_UNKNOWN && argument->end == 0) {
            argument->begin = node->begin;
            argument->end = node->end;
        }
        gzt_push(&node->child, &node->count, argument);
    }
    if (node->decl && is_method(callee))
        add_object(tree, node, cursor);
    else if (tree->source->cxx)
        build_container(tree, node, cursor, callee);
}

/* Keeps a variable's sizes, if its type has some that are no numbers, and what it begins with,
 * which is behind its name. The outermost of a parameter that is an array, the last, is no part of
 * its type. */
static void keep_sizes(struct gzt_node *node, CXCursor cursor)
{
    struct gzt_decl *decl = node->decl;
    struct gzt_node *last = node->count ? node->child[node->count - 1] : NULL;
    bool begins = !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor)) && last &&
                  (last->kind == GZT_IMPLICIT || last->begin > decl->offset);
    int sizes = ir_is_sized(decl->type_name) ? node->count - begins : 0;
    node->op = begins ? "=" : "";
    node->child += node->count - begins - sizes;
    node->count = begins + sizes;
    decl->size = node->child;
    decl->sizes = sizes - (sizes > 0 && is_array(clang_getCursorType(cursor)) && !decl->is_array);
}

/* Lets clang fold a whole number. */
static void fold(struct gzt_node *node, CXCursor cursor)
{
    if (!ir_is_integer(node->type) || !clang_isExpression(clang_getCursorKind(cursor)))
        return;
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result)
        return;
    node->constant = clang_EvalResult_getKind(result) == CXEval_Int;
    if (node->constant)
        node->value = clang_EvalResult_isUnsignedInt(result)
                          ? (long)clang_EvalResult_getAsUnsigned(result)
                          : (long)clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
}

/* What a lambda captures by a name of its own, [&r = x], is declared where it is captured. */
static void add_captured(struct gzt_tree *tree, struct gzt_node *node, CXCursor capture)
{
    CXCursor variable = clang_getCursorReferenced(capture);
    if (clang_equalLocations(clang_getCursorLocation(variable), clang_getCursorLocation(capture)))
        build_children(tree, node, variable);
}

/* Whether a member lies where others do: in a union, be it in records without a name, or in all
 * objects of a class. */
static bool is_shared(CXCursor member)
{
    CXCursor record = clang_getCursorSemanticParent(member);
    while (clang_Cursor_isAnonymousRecordDecl(record) &&
           clang_getCursorKind(record) != CXCursor_UnionDecl)
        record = clang_getCursorSemanticParent(record);
    return clang_getCursorKind(record) == CXCursor_UnionDecl ||
           clang_getCursorKind(member) == CXCursor_VarDecl;
}

static struct gzt_node *build(struct gzt_tree *tree, CXCursor cursor)
{
    struct gzt_node *node = gzt_alloc(sizeof *node);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXSourceRange range = clang_getCursorExtent(cursor);
    /* volatile like its typedef */
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    enum { DEEPEST = 1500 };

    /* A label is not needed; what it labels is. */
    node->kind = kind_of(kind);
    node->begin = offset_of(clang_getRangeStart(range));
    node->end = offset_of(clang_getRangeEnd(range));
    node->type_name = type_name_of(type, tree->source->cxx);
    node->type = ir_type_of(node->type_name);
    node->is_const = clang_isConstQualifiedType(type);
    node->is_volatile = clang_isVolatileQualifiedType(type);
    node->is_array = is_array(type) || type.kind == CXType_IncompleteArray;
    node->op = "";
    if (node->kind == GZT_CALL) {
        fold(node, cursor);
        build_call(tree, node, cursor);
        return thread(node);
    }
    if (++tree->depth > DEEPEST)
        gzt_refuse(tree->source, node->begin, "an expression or a block nested %d deep is too deep",
                   DEEPEST);
    else
        build_children(tree, node, cursor);
    tree->depth--;
    if (tree->source->failed)
        return node;
    fold(node, cursor);
    if (kind == CXCursor_LabelStmt && node->count == 1)
        return node->child[0];
    /* What a #pragma unroll or the like stands before. */
    if (kind == CXCursor_UnexposedStmt && node->count > 0 &&
        node->child[node->count - 1]->kind == GZT_FOR)
        return node->child[node->count - 1];
    /* What libclang has no kind for is a conversion, unless it is a ?: b and the like. */
    if ((node->kind == GZT_IMPLICIT && node->count != 1) ||
        (node->kind == GZT_CAST && node->count == 0))
        node->kind = GZT_UNKNOWN;
    if (node->kind == GZT_REF) {
        CXCursor referenced = clang_getCursorReferenced(cursor);
        node->decl = (is_function(referenced) ? defined : declare)(tree, referenced);
        node->is_array = node->decl->is_array;
    }
    if (node->kind == GZT_MEMBER) {
        CXCursor member = clang_getCursorReferenced(cursor);
        node->op = take(clang_getCursorSpelling(cursor));
        node->is_bit_field = clang_Cursor_isBitField(member);
        node->is_shared = is_shared(member);
        const char *owner =
            type_name_of(clang_getCursorType(clang_getCursorSemanticParent(member)), true);
        if (tree->source->cxx && clang_getCXXAccessSpecifier(member) != CX_CXXPublic)
            node->owner = owner;
        if (node->count == 0 && tree->self && strcmp(owner, gzt_class_of(tree->self)) == 0)
            push_self(tree, node);
        /* Compilers differ in what type one that is wider than an int has. */
        if (node->is_bit_field && clang_getFieldDeclBitWidth(member) > 32)
            node->type = IR_OTHER;
    }
    if (node->kind == GZT_VARIABLE) {
        node->decl = declare(tree, cursor);
        keep_sizes(node, cursor);
    }
    if (kind == CXCursor_VariableRef)
        add_captured(tree, node, cursor);
    if (kind == CXCursor_LabelRef)
        node->value = offset_of(clang_getCursorLocation(clang_getCursorReferenced(cursor)));
    if (node->kind == GZT_UNKNOWN)
        node->op = take(clang_getCursorKindSpelling(kind));
    else if (node->kind == GZT_UNARY || node->kind == GZT_BINARY)
        node->op = operator_of(tree->source, node);
    if (kind == CXCursor_CXXThisExpr && tree->self) { /* &(*this) */
        node->kind = GZT_UNARY;
        node->op = "&";
        push_self(tree, node);
    }
    return thread(node);
}

/* Where the text before a place begins, behind the last of such characters. */
static const char *begin_of(const char *text, const char *place, const char *behind)
{
    while (place > text && !strchr(behind, place[-1]))
        place--;
    return place;
}

/* Notes the words of pragmas and declarations with such an attribute, also where clang drops it,
 * behind a definition. The declared names are among them. */
static void note_weak(struct gzt_tree *tree, const char *word)
{
    const char *text = tree->source->text;
    for (const char *at = text; (at = gzt_behind(at, word));) {
        const char *line = begin_of(text, at, "\n"), *begin = begin_of(text, at, ";{}");
        const char *end = at + strcspn(at, *line == '#' ? "\n" : ";{}");
        begin = *line == '#' ? line : begin;
        const char *all = gzt_copy(begin, (size_t)(end - begin));
        bool is = strstr(all, "pragma") || strstr(all, "__attribute") || strstr(all, "[[") ||
                  strstr(all, "asm");
        for (size_t length; is && *all; all += length ? length : 1)
            if ((length = gzt_word(all)))
                gzt_push(&tree->weak, &tree->weak_count, gzt_copy(all, length));
    }
}

/* The text that defines what a cursor refers to, or declares it. */
static struct gzt_use *use_of(CXCursor cursor)
{
    struct gzt_use *use = gzt_alloc(sizeof *use);
    CXCursor definition = clang_getCursorDefinition(cursor), part = clang_getNullCursor();
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor)); /* const like its elements */
    cursor = clang_Cursor_isNull(definition) ? cursor : definition;
    if (kind == CXCursor_EnumConstantDecl || kind == CXCursor_FieldDecl ||
        kind == CXCursor_ParmDecl)
        cursor = clang_getCursorSemanticParent(cursor);
    if (kind == CXCursor_ParmDecl)
        part = find_child(cursor, CXCursor_CompoundStmt);
    if (kind == CXCursor_VarDecl && !clang_isConstQualifiedType(type))
        part = clang_Cursor_getVarDeclInitializer(cursor);
    CXSourceRange range = clang_getCursorExtent(cursor);
    use->begin = offset_of(clang_getRangeStart(range));
    use->end =
        offset_of(clang_Cursor_isNull(part) ? clang_getRangeEnd(range)
                                            : clang_getRangeStart(clang_getCursorExtent(part)));
    return use;
}

/* Notes where the user's files say what their names mean. */
static enum CXChildVisitResult note_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct gzt_tree *tree = data;
    CXSourceLocation at = clang_getCursorLocation(cursor);
    CXCursor to = clang_getCursorReferenced(cursor);
    (void)parent;
    if (clang_Location_isInSystemHeader(at))
        return CXChildVisit_Continue;
    if (clang_Cursor_isNull(to) || clang_equalCursors(to, cursor) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(to)))
        return CXChildVisit_Recurse;
    struct gzt_use *use = use_of(to);
    use->at = offset_of(at);
    if (use->end > use->begin)
        gzt_push(&tree->uses, &tree->use_count, use);
    return CXChildVisit_Recurse;
}

/* Builds the functions that are defined, in namespaces and classes too. */
static void build_functions(struct gzt_tree *tree, CXCursor cursor)
{
    int count;
    const CXCursor *child = gzt_children(cursor, &count);
    for (int i = 0; i < count && !tree->source->failed; i++) {
        enum CXCursorKind kind = clang_getCursorKind(child[i]);
        CXCursor block = find_child(child[i], CXCursor_CompoundStmt);
        bool defined_here = !clang_Cursor_isNull(block);
        if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
            kind == CXCursor_UnexposedDecl || kind == CXCursor_ClassDecl ||
            kind == CXCursor_StructDecl)
            build_functions(tree, child[i]);
        else if (defined_here && kind == CXCursor_FunctionDecl)
            gzt_push(&tree->functions, &tree->function_count, defined(tree, child[i])->body);
        else if (defined_here && kind == CXCursor_CXXMethod)
            gzt_push(&tree->functions, &tree->function_count,
                     is_method(child[i]) ? defined(tree, child[i])->body : build(tree, block));
    }
}

/* The first error of the compiler becomes ours, with its own words. */
static int check_diagnostics(struct gzt_source *source, CXTranslationUnit unit)
{
    unsigned count = clang_getNumDiagnostics(unit);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            gzt_refuse(source, offset_of(clang_getDiagnosticLocation(diagnostic)), "%s",
                       take(clang_getDiagnosticSpelling(diagnostic)));
        clang_disposeDiagnostic(diagnostic);
    }
    return source->failed ? -1 : 0;
}

static void number_loops(struct gzt_source *source, CXTranslationUnit unit)
{
    const CXCursor *loop = gzt_loops_of(unit, &source->loops);
    source->loop = gzt_alloc((size_t)source->loops * sizeof *source->loop);
    for (int i = 0; i < source->loops; i++)
        source->loop[i] = offset_of(clang_getCursorLocation(loop[i]));
}

/* Where the innermost block that has a declaration ends; of a parameter, its function. */
static int scope_end(const struct gzt_tree *tree, const struct gzt_decl *decl)
{
    const struct gzt_node *body = gzt_function_around(tree, decl->offset);
    int end = INT_MAX;
    for (int i = 0; !body && decl->automatic && i < tree->function_count && end == INT_MAX; i++)
        if (tree->functions[i]->begin > decl->offset)
            end = tree->functions[i]->end;
    GZT_EACH (node, body)
        if ((node->kind == GZT_BLOCK || node->kind == GZT_FOR) && gzt_holds(node, decl) &&
            node->end < end)
            end = node->end;
    return end;
}

int gzt_parse(struct gzt_source *source, struct gzt_tree *tree)
{
    CXTranslationUnit unit = gzt_parse_file(source, true);

    memset(tree, 0, sizeof *tree);
    tree->source = source;
    tree->buckets = gzt_alloc(GZT_BUCKETS * sizeof *tree->buckets);
    if (!unit)
        gzt_refuse(source, 0, "cannot be parsed");
    else if (check_diagnostics(source, unit) == 0) {
        note_weak(tree, "weak");
        note_weak(tree, "__weak__");
        clang_visitChildren(clang_getTranslationUnitCursor(unit), note_use, tree);
        build_functions(tree, clang_getTranslationUnitCursor(unit));
    }
    if (!source->failed)
        number_loops(source, unit);
    return source->failed ? -1 : 0;
}

const struct gzt_decl *gzt_meant_by(const struct gzt_tree *tree, const char *name, size_t length,
                                    int at)
{
    const struct gzt_decl *decl = NULL;
    for (int i = 0; i < tree->decl_count; i++) {
        const struct gzt_decl *other = tree->decls[i];
        if (strlen(other->name) == length && other->offset <= at &&
            strncmp(other->name, name, length) == 0 && (!decl || other->offset > decl->offset) &&
            at < scope_end(tree, other))
            decl = other;
    }
    return decl;
}

const struct gzt_node *gzt_function_around(const struct gzt_tree *tree, int place)
{
    for (int i = 0; i < tree->function_count; i++)
        if (tree->functions[i]->begin < place && tree->functions[i]->end > place)
            return tree->functions[i];
    return NULL;
}

const struct gzt_node *gzt_bare(const struct gzt_node *node)
{
    while ((node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT) && node->count == 1)
        node = node->child[0];
    return node;
}

const char *gzt_node_text(const struct gzt_source *source, const struct gzt_node *node)
{
    return gzt_clean(source, node->begin, node->end);
}

bool gzt_is_binary(const struct gzt_node *node, const char *op)
{
    return node->kind == GZT_BINARY && strcmp(node->op, op) == 0;
}

bool gzt_is_assignment(const struct gzt_node *node)
{
    static const char *const ops[] = {"=",  "+=",  "-=",  "*=", "/=", "%=",  "&=",  "|=",
                                      "^=", "<<=", ">>=", "++", "--", "x++", "x--", NULL};
    return (node->kind == GZT_BINARY || node->kind == GZT_UNARY) && gzt_is_one_of(node->op, ops);
}

bool gzt_is_kind(const struct gzt_node *node, const char *kind)
{
    return node->kind == GZT_UNKNOWN && strcmp(node->op, kind) == 0;
}

bool gzt_is_statement(const struct gzt_node *node)
{
    size_t length = strlen(node->op);
    return node->kind == GZT_UNKNOWN ? length > 4 && strcmp(node->op + length - 4, "Stmt") == 0
                                     : node->kind >= GZT_FOR;
}

bool gzt_is_loop(const struct gzt_node *node)
{
    return node->kind == GZT_FOR || gzt_is_kind(node, "WhileStmt") || gzt_is_kind(node, "DoStmt") ||
           gzt_is_kind(node, "CXXForRangeStmt");
}

bool gzt_holds(const struct gzt_node *node, const struct gzt_decl *decl)
{
    return decl->offset >= node->begin && decl->offset < node->end;
}

bool gzt_is_reference(const struct gzt_decl *decl)
{
    return decl->type_name[strlen(decl->type_name) - 1] == '&';
}

const char *gzt_class_of(const struct gzt_decl *object)
{
    return gzt_copy(object->type_name, strlen(object->type_name) - strlen(" &"));
}
