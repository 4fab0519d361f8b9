import { meta } from './small-rules.mjs'

/** Functions that return a translator, and those that take texts or a language before the key. */
const MAKERS = new Set(['useTexts', 'createCardTranslator', 'createPaperTexts'])
const SECOND = new Set(['translate', 'speak'])
const MESSAGE =
  'A text key is a literal or comes from a typed table (`STATE_TEXT[state]`, `resolveTextKey(STATE_TEXT, name)`): a key that is built or cast can miss its text without a type error.'

/** Returns the part of an expression that builds or casts a key, or undefined. */
function fault(node) {
  switch (node?.type) {
    case 'TemplateLiteral':
      return node.expressions.length ? node : undefined
    case 'BinaryExpression':
    case 'TSAsExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
      return node
    case 'ConditionalExpression':
      return fault(node.consequent) ?? fault(node.alternate)
    case 'LogicalExpression':
      return fault(node.left) ?? fault(node.right)
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return fault(node.expression)
    default:
      return undefined
  }
}

/** True for `xTexts`, `xTexts[lang]` and `x.texts[lang]`. */
function isTexts(node) {
  if (node.type === 'Identifier') return /[tT]exts$/.test(node.name)
  if (node.type !== 'MemberExpression') return false
  return isTexts(node.object) || (!node.computed && /[tT]exts$/.test(node.property.name))
}

/** Types prove that a text exists only if the key is a literal type. */
export const literalTextKeys = {
  meta: meta('text keys are literals or come from typed tables'),
  create(context) {
    const translators = new Set(['t'])
    const check = (node) => {
      const bad = fault(node)
      if (bad) context.report({ node: bad, message: MESSAGE })
    }
    return {
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && node.init?.type === 'CallExpression' && MAKERS.has(node.init.callee.name)) translators.add(node.id.name)
      },
      CallExpression(node) {
        if (node.callee.type !== 'Identifier') return
        if (translators.has(node.callee.name)) check(node.arguments[0])
        else if (SECOND.has(node.callee.name)) check(node.arguments[1])
      },
      MemberExpression(node) {
        if (node.computed && isTexts(node.object)) check(node.property)
      },
    }
  },
}
