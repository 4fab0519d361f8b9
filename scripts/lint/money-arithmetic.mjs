import { meta } from './small-rules.mjs'

/** The last word of a name decides its kind: feeNano, unitPrice, held. priceVersion, amountText and balanceId are not money. */
const MONEY = /(^|[a-z0-9_])(nano|amount|fee|fees|balance|price|held|posted|usd|cost)$/i
/** Results of money.ts, which are money whatever their name. */
const MAKERS = new Set(['parseUsd', 'computePercentFee', 'computeTokenCost'])
const UNITS = /^NANO_PER_/
const OPERATORS = new Set(['+', '-', '*', '/', '%', '**', '+=', '-=', '*=', '/=', '%=', '**='])

const bare = (node) => {
  while (node && ['TSNonNullExpression', 'TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression', 'ChainExpression'].includes(node.type))
    node = node.expression
  return node
}

const nameOf = (wrapped) => {
  const node = bare(wrapped)
  if (node?.type === 'Identifier') return node.name
  if (node?.type === 'MemberExpression') return node.computed ? (typeof node.property.value === 'string' ? node.property.value : '') : node.property.name
  return ''
}

const isMoney = (wrapped) => {
  const node = bare(wrapped)
  if (node?.type === 'CallExpression') return MAKERS.has(nameOf(node.callee))
  if (node?.type === 'UnaryExpression' && node.operator === '-') return isMoney(node.argument)
  const name = nameOf(node)
  return MONEY.test(name) || UNITS.test(name)
}

const isText = (wrapped) => {
  const node = bare(wrapped)
  return (
    node?.type === 'TemplateLiteral' ||
    (node?.type === 'Literal' && typeof node.value === 'string') ||
    (node?.type === 'BinaryExpression' && node.operator === '+' && (isText(node.left) || isText(node.right)))
  )
}

/** Allows constants such as `100n * NANO_PER_USD`, which are not arithmetic on a customer's money. */
const isConstant = (node) => [node.left, node.right].every((side) => UNITS.test(nameOf(side)) || bare(side)?.bigint !== undefined)

const isNumberType = (annotation) => {
  const type = annotation?.typeAnnotation
  return type?.type === 'TSNumberKeyword' || (type?.type === 'TSUnionType' && type.types.some((one) => one.type === 'TSNumberKeyword'))
}

/** Money is a bigint of nano-dollars, and only platform/shared/money.ts does arithmetic on it. */
export const moneyArithmetic = {
  meta: meta('no arithmetic on money outside money.ts; no number type for money'),
  create(context) {
    const sums = 'Arithmetic on money belongs to platform/shared/money.ts: call, or add, a function there.'
    const floats = (name) => `"${name}" is money: a bigint (Nano) inside, decimal text outside, never a number.`
    const typed = (node, name, annotation) => {
      if (MONEY.test(name ?? '') && isNumberType(annotation)) context.report({ node, message: floats(name) })
    }
    const pair = (node) => {
      if (!OPERATORS.has(node.operator) || isText(node.left) || isText(node.right) || isConstant(node)) return
      if (isMoney(node.left) || isMoney(node.right)) context.report({ node, message: sums })
    }
    return {
      BinaryExpression: pair,
      AssignmentExpression: pair,
      UpdateExpression(node) {
        if (isMoney(node.argument)) context.report({ node, message: sums })
      },
      Identifier(node) {
        if (node.typeAnnotation) typed(node, node.name, node.typeAnnotation)
      },
      TSPropertySignature(node) {
        typed(node, node.key.name ?? node.key.value, node.typeAnnotation)
      },
      CallExpression(node) {
        const callee = nameOf(node.callee)
        if (['Number', 'parseFloat', 'parseInt'].includes(callee) && node.arguments[0] && isMoney(node.arguments[0]))
          context.report({ node, message: floats(nameOf(node.arguments[0]) || 'this') })
      },
      Property(node) {
        const root = zodRoot(node.value)
        if (root === 'number' && MONEY.test(node.key.name ?? node.key.value ?? '')) context.report({ node, message: floats(node.key.name ?? node.key.value) })
      },
    }
  },
}

/** `z.number().min(0)` -> "number"; `z.coerce.number()` too. */
function zodRoot(node) {
  let call = node
  let method = ''
  while (call?.type === 'CallExpression' && call.callee.type === 'MemberExpression') {
    method = call.callee.property.name
    const object = call.callee.object
    if (object.type === 'Identifier' && object.name === 'z') return method
    if (object.type === 'MemberExpression' && object.object.name === 'z' && object.property.name === 'coerce') return method
    call = object
  }
  return ''
}
