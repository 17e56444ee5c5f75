package golang

import "codeidx/facts/syntax"

// kind numbers the grammar's node types and tokens that the walker looks at.
type kind uint8

const (
	kOther kind = iota

	kPackageClause
	kImportDeclaration
	kImportSpecList
	kImportSpec
	kDot
	kBlank
	kFunctionDeclaration
	kMethodDeclaration
	kConstDeclaration
	kVarDeclaration
	kTypeDeclaration
	kConstSpec
	kVarSpec
	kVarSpecList
	kTypeSpec
	kTypeAlias
	kTypeParameterDeclaration
	kParameterDeclaration
	kVariadicParameter
	kFieldDeclaration
	kMethodElem
	kTypeElem

	kBlock
	kStatementList
	kExpressionStatement
	kShortVar
	kAssignment
	kIncDec
	kSend
	kReceiveStatement
	kReturn
	kGoDefer
	kIf
	kFor
	kForClause
	kRangeClause
	kSwitch
	kTypeSwitch
	kSelect
	kExpressionCase
	kDefaultCase
	kTypeCase
	kCommunicationCase
	kLabeled
	kExpressionList

	kIdentifier
	kTypeIdentifier
	kFieldIdentifier
	kSelector
	kQualifiedType
	kCall
	kTypeConversion
	kIndexExpr
	kTypeInstantiation
	kGenericType
	kSliceExpr
	kUnary
	kBinary
	kTypeAssertion
	kComposite
	kLiteralValue
	kLiteralElement
	kKeyedElement
	kFuncLiteral
	kParenthesized
	kVariadicArgument
	kParameterList

	kPointerType
	kArrayType
	kImplicitArray
	kSliceType
	kMapType
	kChanType
	kFuncType
	kStructType
	kInterfaceType
	kNegatedType

	kString
	kInt
	kFloat
	kImaginary
	kRune
	kBool
	kNil
	kIota
	kComment

	tStar
	tAnd
	tArrow
	tNot
	tChan
	tCompare
	tShift
	tLogic
)

// kindNames maps node types and tokens of the grammar to kinds.
func kindNames() (named, tokens map[string]kind) {
	named = map[string]kind{
		"package_clause": kPackageClause, "import_declaration": kImportDeclaration, "import_spec_list": kImportSpecList,
		"import_spec": kImportSpec, "dot": kDot, "blank_identifier": kBlank, "function_declaration": kFunctionDeclaration,
		"method_declaration": kMethodDeclaration, "const_declaration": kConstDeclaration, "var_declaration": kVarDeclaration,
		"type_declaration": kTypeDeclaration, "const_spec": kConstSpec, "var_spec": kVarSpec, "var_spec_list": kVarSpecList,
		"type_spec": kTypeSpec, "type_alias": kTypeAlias, "type_parameter_declaration": kTypeParameterDeclaration,
		"parameter_declaration": kParameterDeclaration, "variadic_parameter_declaration": kVariadicParameter,
		"field_declaration": kFieldDeclaration, "method_elem": kMethodElem,
		"type_elem": kTypeElem, "type_constraint": kTypeElem,

		"block": kBlock, "statement_list": kStatementList, "expression_statement": kExpressionStatement,
		"short_var_declaration": kShortVar, "assignment_statement": kAssignment, "inc_statement": kIncDec,
		"dec_statement": kIncDec, "send_statement": kSend, "receive_statement": kReceiveStatement, "return_statement": kReturn,
		"go_statement": kGoDefer, "defer_statement": kGoDefer, "if_statement": kIf, "for_statement": kFor,
		"for_clause": kForClause, "range_clause": kRangeClause, "expression_switch_statement": kSwitch,
		"type_switch_statement": kTypeSwitch, "select_statement": kSelect, "expression_case": kExpressionCase,
		"default_case": kDefaultCase, "type_case": kTypeCase, "communication_case": kCommunicationCase,
		"labeled_statement": kLabeled, "expression_list": kExpressionList,

		"identifier": kIdentifier, "package_identifier": kIdentifier, "type_identifier": kTypeIdentifier,
		"field_identifier": kFieldIdentifier, "selector_expression": kSelector, "qualified_type": kQualifiedType,
		"call_expression": kCall, "type_conversion_expression": kTypeConversion, "index_expression": kIndexExpr,
		"type_instantiation_expression": kTypeInstantiation, "generic_type": kGenericType, "slice_expression": kSliceExpr,
		"unary_expression": kUnary, "binary_expression": kBinary, "type_assertion_expression": kTypeAssertion,
		"composite_literal": kComposite, "literal_value": kLiteralValue, "literal_element": kLiteralElement,
		"keyed_element": kKeyedElement, "func_literal": kFuncLiteral, "parenthesized_expression": kParenthesized,
		"parenthesized_type": kParenthesized, "variadic_argument": kVariadicArgument, "parameter_list": kParameterList,

		"pointer_type": kPointerType, "array_type": kArrayType, "implicit_length_array_type": kImplicitArray,
		"slice_type": kSliceType, "map_type": kMapType, "channel_type": kChanType, "function_type": kFuncType,
		"struct_type": kStructType, "interface_type": kInterfaceType, "negated_type": kNegatedType,

		"interpreted_string_literal": kString, "raw_string_literal": kString, "int_literal": kInt, "float_literal": kFloat,
		"imaginary_literal": kImaginary, "rune_literal": kRune, "true": kBool, "false": kBool, "nil": kNil, "iota": kIota,
		"comment": kComment,
	}
	tokens = map[string]kind{
		"*": tStar, "&": tAnd, "<-": tArrow, "!": tNot, "chan": tChan, "<<": tShift, ">>": tShift, "&&": tLogic, "||": tLogic,
		"==": tCompare, "!=": tCompare, "<": tCompare, "<=": tCompare, ">": tCompare, ">=": tCompare,
	}
	return named, tokens
}

// fields holds the ids of the grammar's fields.
type fields struct {
	alias, alternative, arguments, body, channel, communication, condition, consequence, element, field, function, index uint8
	initializer, key, left, length, name, operand, packageName, parameters, path, receiver, result, right, typ           uint8
	typeArguments, typeParameters, update, value                                                                         uint8
}

func fieldsOf(g *syntax.Grammar) fields {
	f := g.Field
	return fields{
		alias: f("alias"), alternative: f("alternative"), arguments: f("arguments"), body: f("body"), channel: f("channel"),
		communication: f("communication"), condition: f("condition"), consequence: f("consequence"), element: f("element"),
		field: f("field"), function: f("function"), index: f("index"), initializer: f("initializer"), key: f("key"),
		left: f("left"), length: f("length"), name: f("name"), operand: f("operand"), packageName: f("package"),
		parameters: f("parameters"), path: f("path"), receiver: f("receiver"), result: f("result"), right: f("right"),
		typ: f("type"), typeArguments: f("type_arguments"), typeParameters: f("type_parameters"), update: f("update"),
		value: f("value"),
	}
}
