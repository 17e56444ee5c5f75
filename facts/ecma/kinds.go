package ecma

// kind is the grammar's node type as a small number to switch on.
type kind uint8

const (
	kOther kind = iota
	kError
	kIdentifier
	kPropertyIdentifier
	kPrivatePropertyIdentifier
	kShorthandPropertyIdentifier
	kShorthandPropertyIdentifierPattern
	kTypeIdentifier
	kThis
	kSuper
	kNull
	kUndefined
	kTrue
	kFalse
	kNumber
	kString
	kTemplateString
	kTemplateSubstitution
	kRegex
	kMetaProperty
	kImport
	kParenthesizedExpression
	kSequenceExpression
	kAssignmentExpression
	kAugmentedAssignmentExpression
	kAwaitExpression
	kBinaryExpression
	kUnaryExpression
	kUpdateExpression
	kTernaryExpression
	kYieldExpression
	kSpreadElement
	kCallExpression
	kNewExpression
	kMemberExpression
	kSubscriptExpression
	kNonNullExpression
	kAsExpression
	kSatisfiesExpression
	kInstantiationExpression
	kTypeAssertion
	kArray
	kObject
	kPair
	kComputedPropertyName
	kArrowFunction
	kFunctionExpression
	kGeneratorFunction
	kClass
	kArguments
	kJsxElement
	kJsxSelfClosingElement
	kJsxOpeningElement
	kJsxClosingElement
	kJsxAttribute
	kJsxExpression
	kJsxNamespaceName
	kJsxText
	kArrayPattern
	kObjectPattern
	kAssignmentPattern
	kObjectAssignmentPattern
	kPairPattern
	kRestPattern
	kRequiredParameter
	kOptionalParameter
	kFormalParameters
	kAccessibilityModifier
	kOverrideModifier
	kFunctionDeclaration
	kGeneratorFunctionDeclaration
	kFunctionSignature
	kClassDeclaration
	kAbstractClassDeclaration
	kClassBody
	kClassHeritage
	kExtendsClause
	kImplementsClause
	kClassStaticBlock
	kMethodDefinition
	kMethodSignature
	kAbstractMethodSignature
	kPublicFieldDefinition
	kFieldDefinition
	kPropertySignature
	kCallSignature
	kConstructSignature
	kIndexSignature
	kDecorator
	kLexicalDeclaration
	kVariableDeclaration
	kVariableDeclarator
	kInterfaceDeclaration
	kInterfaceBody
	kExtendsTypeClause
	kTypeAliasDeclaration
	kEnumDeclaration
	kEnumBody
	kEnumAssignment
	kInternalModule
	kModule
	kNestedIdentifier
	kAmbientDeclaration
	kImportStatement
	kImportClause
	kNamedImports
	kImportSpecifier
	kNamespaceImport
	kImportRequireClause
	kImportAlias
	kExportStatement
	kExportClause
	kExportSpecifier
	kNamespaceExport
	kStatementBlock
	kExpressionStatement
	kIfStatement
	kElseClause
	kForStatement
	kForInStatement
	kWhileStatement
	kDoStatement
	kSwitchStatement
	kSwitchBody
	kSwitchCase
	kSwitchDefault
	kTryStatement
	kCatchClause
	kFinallyClause
	kReturnStatement
	kThrowStatement
	kBreakStatement
	kContinueStatement
	kLabeledStatement
	kWithStatement
	kTypeAnnotation
	kTypeArguments
	kTypeParameters
	kTypeParameter
	kConstraint
	kDefaultType
	kGenericType
	kNestedTypeIdentifier
	kUnionType
	kIntersectionType
	kArrayType
	kTupleType
	kObjectType
	kFunctionType
	kConstructorType
	kParenthesizedType
	kPredefinedType
	kLiteralType
	kReadonlyType
	kIndexTypeQuery
	kTypeQuery
	kLookupType
	kConditionalType
	kInferType
	kThisType
	kOptionalType
	kRestType
	kTemplateLiteralType
	kTemplateType
	kMappedTypeClause
	kTypePredicate
	kTypePredicateAnnotation
	kAsserts
	kAssertsAnnotation
	kOmittingTypeAnnotation
	kOptingTypeAnnotation
	kAddingTypeAnnotation
	kComment
	kHtmlComment
	kStringFragment
	kStatementIdentifier
	tAsync
	tStatic
	tGet
	tSet
	tReadonly
	tAbstract
	tDeclare
	tConst
	tLet
	tVar
	tDefault
	tType
	tTypeof
	tStar
	tOptional
	tExport
	kinds
)

// kindNames gives the grammars' name of each named node type.
var kindNames = [kinds]string{
	kError:                              "ERROR",
	kIdentifier:                         "identifier",
	kPropertyIdentifier:                 "property_identifier",
	kPrivatePropertyIdentifier:          "private_property_identifier",
	kShorthandPropertyIdentifier:        "shorthand_property_identifier",
	kShorthandPropertyIdentifierPattern: "shorthand_property_identifier_pattern",
	kTypeIdentifier:                     "type_identifier",
	kThis:                               "this",
	kSuper:                              "super",
	kNull:                               "null",
	kUndefined:                          "undefined",
	kTrue:                               "true",
	kFalse:                              "false",
	kNumber:                             "number",
	kString:                             "string",
	kTemplateString:                     "template_string",
	kTemplateSubstitution:               "template_substitution",
	kRegex:                              "regex",
	kMetaProperty:                       "meta_property",
	kImport:                             "import",
	kParenthesizedExpression:            "parenthesized_expression",
	kSequenceExpression:                 "sequence_expression",
	kAssignmentExpression:               "assignment_expression",
	kAugmentedAssignmentExpression:      "augmented_assignment_expression",
	kAwaitExpression:                    "await_expression",
	kBinaryExpression:                   "binary_expression",
	kUnaryExpression:                    "unary_expression",
	kUpdateExpression:                   "update_expression",
	kTernaryExpression:                  "ternary_expression",
	kYieldExpression:                    "yield_expression",
	kSpreadElement:                      "spread_element",
	kCallExpression:                     "call_expression",
	kNewExpression:                      "new_expression",
	kMemberExpression:                   "member_expression",
	kSubscriptExpression:                "subscript_expression",
	kNonNullExpression:                  "non_null_expression",
	kAsExpression:                       "as_expression",
	kSatisfiesExpression:                "satisfies_expression",
	kInstantiationExpression:            "instantiation_expression",
	kTypeAssertion:                      "type_assertion",
	kArray:                              "array",
	kObject:                             "object",
	kPair:                               "pair",
	kComputedPropertyName:               "computed_property_name",
	kArrowFunction:                      "arrow_function",
	kFunctionExpression:                 "function_expression",
	kGeneratorFunction:                  "generator_function",
	kClass:                              "class",
	kArguments:                          "arguments",
	kJsxElement:                         "jsx_element",
	kJsxSelfClosingElement:              "jsx_self_closing_element",
	kJsxOpeningElement:                  "jsx_opening_element",
	kJsxClosingElement:                  "jsx_closing_element",
	kJsxAttribute:                       "jsx_attribute",
	kJsxExpression:                      "jsx_expression",
	kJsxNamespaceName:                   "jsx_namespace_name",
	kJsxText:                            "jsx_text",
	kArrayPattern:                       "array_pattern",
	kObjectPattern:                      "object_pattern",
	kAssignmentPattern:                  "assignment_pattern",
	kObjectAssignmentPattern:            "object_assignment_pattern",
	kPairPattern:                        "pair_pattern",
	kRestPattern:                        "rest_pattern",
	kRequiredParameter:                  "required_parameter",
	kOptionalParameter:                  "optional_parameter",
	kFormalParameters:                   "formal_parameters",
	kAccessibilityModifier:              "accessibility_modifier",
	kOverrideModifier:                   "override_modifier",
	kFunctionDeclaration:                "function_declaration",
	kGeneratorFunctionDeclaration:       "generator_function_declaration",
	kFunctionSignature:                  "function_signature",
	kClassDeclaration:                   "class_declaration",
	kAbstractClassDeclaration:           "abstract_class_declaration",
	kClassBody:                          "class_body",
	kClassHeritage:                      "class_heritage",
	kExtendsClause:                      "extends_clause",
	kImplementsClause:                   "implements_clause",
	kClassStaticBlock:                   "class_static_block",
	kMethodDefinition:                   "method_definition",
	kMethodSignature:                    "method_signature",
	kAbstractMethodSignature:            "abstract_method_signature",
	kPublicFieldDefinition:              "public_field_definition",
	kFieldDefinition:                    "field_definition",
	kPropertySignature:                  "property_signature",
	kCallSignature:                      "call_signature",
	kConstructSignature:                 "construct_signature",
	kIndexSignature:                     "index_signature",
	kDecorator:                          "decorator",
	kLexicalDeclaration:                 "lexical_declaration",
	kVariableDeclaration:                "variable_declaration",
	kVariableDeclarator:                 "variable_declarator",
	kInterfaceDeclaration:               "interface_declaration",
	kInterfaceBody:                      "interface_body",
	kExtendsTypeClause:                  "extends_type_clause",
	kTypeAliasDeclaration:               "type_alias_declaration",
	kEnumDeclaration:                    "enum_declaration",
	kEnumBody:                           "enum_body",
	kEnumAssignment:                     "enum_assignment",
	kInternalModule:                     "internal_module",
	kModule:                             "module",
	kNestedIdentifier:                   "nested_identifier",
	kAmbientDeclaration:                 "ambient_declaration",
	kImportStatement:                    "import_statement",
	kImportClause:                       "import_clause",
	kNamedImports:                       "named_imports",
	kImportSpecifier:                    "import_specifier",
	kNamespaceImport:                    "namespace_import",
	kImportRequireClause:                "import_require_clause",
	kImportAlias:                        "import_alias",
	kExportStatement:                    "export_statement",
	kExportClause:                       "export_clause",
	kExportSpecifier:                    "export_specifier",
	kNamespaceExport:                    "namespace_export",
	kStatementBlock:                     "statement_block",
	kExpressionStatement:                "expression_statement",
	kIfStatement:                        "if_statement",
	kElseClause:                         "else_clause",
	kForStatement:                       "for_statement",
	kForInStatement:                     "for_in_statement",
	kWhileStatement:                     "while_statement",
	kDoStatement:                        "do_statement",
	kSwitchStatement:                    "switch_statement",
	kSwitchBody:                         "switch_body",
	kSwitchCase:                         "switch_case",
	kSwitchDefault:                      "switch_default",
	kTryStatement:                       "try_statement",
	kCatchClause:                        "catch_clause",
	kFinallyClause:                      "finally_clause",
	kReturnStatement:                    "return_statement",
	kThrowStatement:                     "throw_statement",
	kBreakStatement:                     "break_statement",
	kContinueStatement:                  "continue_statement",
	kLabeledStatement:                   "labeled_statement",
	kWithStatement:                      "with_statement",
	kTypeAnnotation:                     "type_annotation",
	kTypeArguments:                      "type_arguments",
	kTypeParameters:                     "type_parameters",
	kTypeParameter:                      "type_parameter",
	kConstraint:                         "constraint",
	kDefaultType:                        "default_type",
	kGenericType:                        "generic_type",
	kNestedTypeIdentifier:               "nested_type_identifier",
	kUnionType:                          "union_type",
	kIntersectionType:                   "intersection_type",
	kArrayType:                          "array_type",
	kTupleType:                          "tuple_type",
	kObjectType:                         "object_type",
	kFunctionType:                       "function_type",
	kConstructorType:                    "constructor_type",
	kParenthesizedType:                  "parenthesized_type",
	kPredefinedType:                     "predefined_type",
	kLiteralType:                        "literal_type",
	kReadonlyType:                       "readonly_type",
	kIndexTypeQuery:                     "index_type_query",
	kTypeQuery:                          "type_query",
	kLookupType:                         "lookup_type",
	kConditionalType:                    "conditional_type",
	kInferType:                          "infer_type",
	kThisType:                           "this_type",
	kOptionalType:                       "optional_type",
	kRestType:                           "rest_type",
	kTemplateLiteralType:                "template_literal_type",
	kTemplateType:                       "template_type",
	kMappedTypeClause:                   "mapped_type_clause",
	kTypePredicate:                      "type_predicate",
	kTypePredicateAnnotation:            "type_predicate_annotation",
	kAsserts:                            "asserts",
	kAssertsAnnotation:                  "asserts_annotation",
	kOmittingTypeAnnotation:             "omitting_type_annotation",
	kOptingTypeAnnotation:               "opting_type_annotation",
	kAddingTypeAnnotation:               "adding_type_annotation",
	kComment:                            "comment",
	kHtmlComment:                        "html_comment",
	kStringFragment:                     "string_fragment",
	kStatementIdentifier:                "statement_identifier",
}

// tokenNames gives the text of the anonymous tokens that the extractor looks for.
var tokenNames = [kinds]string{
	tAsync:    "async",
	tStatic:   "static",
	tGet:      "get",
	tSet:      "set",
	tReadonly: "readonly",
	tAbstract: "abstract",
	tDeclare:  "declare",
	tConst:    "const",
	tLet:      "let",
	tVar:      "var",
	tDefault:  "default",
	tType:     "type",
	tTypeof:   "typeof",
	tStar:     "*",
	tOptional: "?",
	tExport:   "export",
}
