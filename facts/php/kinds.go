package php

// kind is the grammar's node type as a small number to switch on.
type kind uint8

const (
	kOther kind = iota
	kError
	kComment
	kName
	kQualifiedName
	kRelativeName
	kNamespaceName
	kRelativeScope
	kVariable
	kDynamicVariable
	kMember
	kNullsafeMember
	kScopedProperty
	kClassConstant
	kFunctionCall
	kMemberCall
	kNullsafeCall
	kScopedCall
	kNew
	kAnonymousClass
	kArguments
	kArgument
	kPlaceholder
	kUnpacking
	kSubscript
	kArray
	kElement
	kByRef
	kString
	kEncapsed
	kHeredoc
	kHeredocBody
	kNowdoc
	kNowdocBody
	kStringContent
	kEscape
	kShell
	kInteger
	kFloat
	kBoolean
	kNull
	kParenthesized
	kAssignment
	kRefAssignment
	kAugmented
	kConditional
	kBinary
	kUnary
	kSuppress
	kClone
	kCast
	kUpdate
	kMatch
	kMatchArm
	kMatchDefault
	kMatchConditions
	kClosure
	kArrow
	kUseClause
	kInclude
	kIncludeOnce
	kRequire
	kRequireOnce
	kYield
	kThrow
	kPrint
	kSequence
	kList
	kPair

	kNamedType
	kOptionalType
	kUnionType
	kIntersectionType
	kDisjunctiveType
	kPrimitiveType
	kBottomType
	kCastType
	kTypeList

	kNamespace
	kUse
	kUseGroup
	kImportClause
	kClass
	kInterface
	kTrait
	kEnum
	kBaseClause
	kInterfaceClause
	kMembers
	kEnumMembers
	kConst
	kConstElement
	kProperty
	kPropertyElement
	kHookList
	kHook
	kMethod
	kEnumCase
	kTraitUse
	kUseList
	kInsteadOf
	kUseAs
	kFunction
	kParameters
	kParameter
	kVariadic
	kPromoted
	kAttributes
	kAttributeGroup
	kAttribute
	kVisibility
	kStaticModifier
	kAbstract
	kFinal
	kReadonly

	kCompound
	kColonBlock
	kExpressionStatement
	kIf
	kElseIf
	kElse
	kWhile
	kDo
	kFor
	kForeach
	kSwitch
	kSwitchBlock
	kCase
	kDefault
	kTry
	kCatch
	kFinally
	kReturn
	kBreak
	kContinue
	kGoto
	kExit
	kEcho
	kUnset
	kGlobal
	kStaticDeclaration
	kStaticVariable
	kDeclare
	kInterpolation
	kMarkup
	kTag
	kEndTag
	kDirective
	kEmpty

	kYieldFrom // a token
)

// kindNames are the node types of the grammar.
var kindNames = [...]string{
	kComment: "comment", kName: "name", kQualifiedName: "qualified_name", kRelativeName: "relative_name",
	kNamespaceName: "namespace_name", kRelativeScope: "relative_scope", kVariable: "variable_name",
	kDynamicVariable: "dynamic_variable_name", kMember: "member_access_expression",
	kNullsafeMember: "nullsafe_member_access_expression", kScopedProperty: "scoped_property_access_expression",
	kClassConstant: "class_constant_access_expression", kFunctionCall: "function_call_expression",
	kMemberCall: "member_call_expression", kNullsafeCall: "nullsafe_member_call_expression",
	kScopedCall: "scoped_call_expression", kNew: "object_creation_expression", kAnonymousClass: "anonymous_class",
	kArguments: "arguments", kArgument: "argument", kPlaceholder: "variadic_placeholder", kUnpacking: "variadic_unpacking",
	kSubscript: "subscript_expression", kArray: "array_creation_expression", kElement: "array_element_initializer",
	kByRef: "by_ref", kString: "string", kEncapsed: "encapsed_string", kHeredoc: "heredoc", kHeredocBody: "heredoc_body",
	kNowdoc: "nowdoc", kNowdocBody: "nowdoc_body", kStringContent: "string_content", kEscape: "escape_sequence",
	kShell: "shell_command_expression", kInteger: "integer", kFloat: "float", kBoolean: "boolean", kNull: "null",
	kParenthesized: "parenthesized_expression", kAssignment: "assignment_expression",
	kRefAssignment: "reference_assignment_expression", kAugmented: "augmented_assignment_expression",
	kConditional: "conditional_expression", kBinary: "binary_expression", kUnary: "unary_op_expression",
	kSuppress: "error_suppression_expression", kClone: "clone_expression", kCast: "cast_expression", kUpdate: "update_expression",
	kMatch: "match_expression", kMatchArm: "match_conditional_expression", kMatchDefault: "match_default_expression",
	kMatchConditions: "match_condition_list", kClosure: "anonymous_function", kArrow: "arrow_function",
	kUseClause: "anonymous_function_use_clause", kInclude: "include_expression", kIncludeOnce: "include_once_expression",
	kRequire: "require_expression", kRequireOnce: "require_once_expression", kYield: "yield_expression",
	kThrow: "throw_expression", kPrint: "print_intrinsic", kSequence: "sequence_expression", kList: "list_literal", kPair: "pair",

	kNamedType: "named_type", kOptionalType: "optional_type", kUnionType: "union_type", kIntersectionType: "intersection_type",
	kDisjunctiveType: "disjunctive_normal_form_type", kPrimitiveType: "primitive_type", kBottomType: "bottom_type",
	kCastType: "cast_type", kTypeList: "type_list",

	kNamespace: "namespace_definition", kUse: "namespace_use_declaration", kUseGroup: "namespace_use_group",
	kImportClause: "namespace_use_clause", kClass: "class_declaration", kInterface: "interface_declaration",
	kTrait: "trait_declaration", kEnum: "enum_declaration", kBaseClause: "base_clause",
	kInterfaceClause: "class_interface_clause", kMembers: "declaration_list", kEnumMembers: "enum_declaration_list",
	kConst: "const_declaration", kConstElement: "const_element", kProperty: "property_declaration",
	kPropertyElement: "property_element", kHookList: "property_hook_list", kHook: "property_hook", kMethod: "method_declaration",
	kEnumCase: "enum_case", kTraitUse: "use_declaration", kUseList: "use_list", kInsteadOf: "use_instead_of_clause",
	kUseAs: "use_as_clause", kFunction: "function_definition", kParameters: "formal_parameters", kParameter: "simple_parameter",
	kVariadic: "variadic_parameter", kPromoted: "property_promotion_parameter", kAttributes: "attribute_list",
	kAttributeGroup: "attribute_group", kAttribute: "attribute", kVisibility: "visibility_modifier",
	kStaticModifier: "static_modifier", kAbstract: "abstract_modifier", kFinal: "final_modifier", kReadonly: "readonly_modifier",

	kCompound: "compound_statement", kColonBlock: "colon_block", kExpressionStatement: "expression_statement",
	kIf: "if_statement", kElseIf: "else_if_clause", kElse: "else_clause", kWhile: "while_statement", kDo: "do_statement",
	kFor: "for_statement", kForeach: "foreach_statement", kSwitch: "switch_statement", kSwitchBlock: "switch_block",
	kCase: "case_statement", kDefault: "default_statement", kTry: "try_statement", kCatch: "catch_clause",
	kFinally: "finally_clause", kReturn: "return_statement", kBreak: "break_statement", kContinue: "continue_statement",
	kGoto: "goto_statement", kExit: "exit_statement", kEcho: "echo_statement", kUnset: "unset_statement",
	kGlobal: "global_declaration", kStaticDeclaration: "function_static_declaration",
	kStaticVariable: "static_variable_declaration", kDeclare: "declare_statement", kInterpolation: "text_interpolation",
	kMarkup: "text", kTag: "php_tag", kEndTag: "php_end_tag", kDirective: "declare_directive", kEmpty: "empty_statement", kYieldFrom: "yield from",
}

// tokens are the anonymous tokens among kindNames.
var tokens = map[string]bool{"yield from": true}
