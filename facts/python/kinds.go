package python

// kind is the grammar's node type as a small number to switch on.
type kind uint8

const (
	kOther kind = iota
	kError
	kIdentifier
	kAttribute
	kCall
	kArgumentList
	kSubscript
	kString
	kConcatenatedString
	kInteger
	kFloat
	kTrue
	kFalse
	kNone
	kEllipsis
	kTuple
	kList
	kSet
	kDictionary
	kPair
	kDictionarySplat
	kListSplat
	kListComprehension
	kSetComprehension
	kDictionaryComprehension
	kGeneratorExpression
	kForInClause
	kIfClause
	kLambda
	kLambdaParameters
	kConditionalExpression
	kNamedExpression
	kBooleanOperator
	kNotOperator
	kComparisonOperator
	kBinaryOperator
	kUnaryOperator
	kAwait
	kYield
	kParenthesized
	kSlice
	kExpressionList
	kAsPattern
	kAsPatternTarget
	kKeywordArgument
	kInterpolation
	kFormatSpecifier
	kFormatExpression

	kType
	kGenericType
	kUnionType
	kConstrainedType
	kMemberType
	kSplatType
	kTypeParameter

	kExpressionStatement
	kAssignment
	kAugmentedAssignment
	kReturnStatement
	kDeleteStatement
	kRaiseStatement
	kAssertStatement
	kGlobalStatement
	kNonlocalStatement
	kTypeAliasStatement
	kImportStatement
	kImportFromStatement
	kFutureImportStatement
	kPassStatement
	kBreakStatement
	kContinueStatement
	kPrintStatement
	kExecStatement
	kIfStatement
	kElifClause
	kElseClause
	kForStatement
	kWhileStatement
	kTryStatement
	kExceptClause
	kFinallyClause
	kWithStatement
	kWithClause
	kWithItem
	kMatchStatement
	kCaseClause
	kFunctionDefinition
	kClassDefinition
	kDecoratedDefinition
	kDecorator
	kBlock

	kPatternList
	kTuplePattern
	kListPattern
	kListSplatPattern
	kDictionarySplatPattern
	kTypedParameter
	kDefaultParameter
	kTypedDefaultParameter
	kKeywordSeparator
	kPositionalSeparator

	kDottedName
	kAliasedImport
	kRelativeImport
	kImportPrefix
	kWildcardImport

	kCasePattern
	kClassPattern
	kKeywordPattern
	kSplatPattern
	kUnionPattern
	kDictPattern

	kComment
	kAsync
	kFrom
	kinds
)

// kindNames gives the grammar's name of each kind.
var kindNames = [kinds]string{
	kOther: "", kError: "ERROR", kIdentifier: "identifier", kAttribute: "attribute", kCall: "call",
	kArgumentList: "argument_list", kSubscript: "subscript", kString: "string",
	kConcatenatedString: "concatenated_string", kInteger: "integer", kFloat: "float", kTrue: "true",
	kFalse: "false", kNone: "none", kEllipsis: "ellipsis", kTuple: "tuple", kList: "list", kSet: "set",
	kDictionary: "dictionary", kPair: "pair", kDictionarySplat: "dictionary_splat", kListSplat: "list_splat",
	kListComprehension: "list_comprehension", kSetComprehension: "set_comprehension",
	kDictionaryComprehension: "dictionary_comprehension", kGeneratorExpression: "generator_expression",
	kForInClause: "for_in_clause", kIfClause: "if_clause", kLambda: "lambda", kLambdaParameters: "lambda_parameters",
	kConditionalExpression: "conditional_expression", kNamedExpression: "named_expression",
	kBooleanOperator: "boolean_operator", kNotOperator: "not_operator", kComparisonOperator: "comparison_operator",
	kBinaryOperator: "binary_operator", kUnaryOperator: "unary_operator", kAwait: "await", kYield: "yield",
	kParenthesized: "parenthesized_expression", kSlice: "slice", kExpressionList: "expression_list",
	kAsPattern: "as_pattern", kAsPatternTarget: "as_pattern_target", kKeywordArgument: "keyword_argument",
	kInterpolation: "interpolation", kFormatSpecifier: "format_specifier", kFormatExpression: "format_expression",
	kType: "type", kGenericType: "generic_type", kUnionType: "union_type", kConstrainedType: "constrained_type",
	kMemberType: "member_type", kSplatType: "splat_type", kTypeParameter: "type_parameter",
	kExpressionStatement: "expression_statement", kAssignment: "assignment",
	kAugmentedAssignment: "augmented_assignment", kReturnStatement: "return_statement",
	kDeleteStatement: "delete_statement", kRaiseStatement: "raise_statement", kAssertStatement: "assert_statement",
	kGlobalStatement: "global_statement", kNonlocalStatement: "nonlocal_statement",
	kTypeAliasStatement: "type_alias_statement", kImportStatement: "import_statement",
	kImportFromStatement: "import_from_statement", kFutureImportStatement: "future_import_statement",
	kPassStatement: "pass_statement", kBreakStatement: "break_statement", kContinueStatement: "continue_statement",
	kPrintStatement: "print_statement", kExecStatement: "exec_statement", kIfStatement: "if_statement",
	kElifClause: "elif_clause", kElseClause: "else_clause", kForStatement: "for_statement",
	kWhileStatement: "while_statement", kTryStatement: "try_statement", kExceptClause: "except_clause",
	kFinallyClause: "finally_clause", kWithStatement: "with_statement", kWithClause: "with_clause",
	kWithItem: "with_item", kMatchStatement: "match_statement", kCaseClause: "case_clause",
	kFunctionDefinition: "function_definition", kClassDefinition: "class_definition",
	kDecoratedDefinition: "decorated_definition", kDecorator: "decorator", kBlock: "block",
	kPatternList: "pattern_list", kTuplePattern: "tuple_pattern", kListPattern: "list_pattern",
	kListSplatPattern: "list_splat_pattern", kDictionarySplatPattern: "dictionary_splat_pattern",
	kTypedParameter: "typed_parameter", kDefaultParameter: "default_parameter",
	kTypedDefaultParameter: "typed_default_parameter", kKeywordSeparator: "keyword_separator",
	kPositionalSeparator: "positional_separator", kDottedName: "dotted_name", kAliasedImport: "aliased_import",
	kRelativeImport: "relative_import", kImportPrefix: "import_prefix", kWildcardImport: "wildcard_import",
	kCasePattern: "case_pattern", kClassPattern: "class_pattern", kKeywordPattern: "keyword_pattern",
	kSplatPattern: "splat_pattern", kUnionPattern: "union_pattern", kDictPattern: "dict_pattern",
	kComment: "comment", kAsync: "async", kFrom: "from",
}

// keywordToken says whether the extractor looks for an anonymous token.
func keywordToken(name string) bool { return name == "async" || name == "from" }
