import { meta } from './small-rules.mjs'

const SQL = /^\s*(select|insert|update|delete|with|merge|call|lock|copy|truncate|notify|listen|begin|create|alter|drop|set)\s/i

const textOf = (node) => (node?.type === 'TemplateLiteral' ? node.quasis[0].value.raw : typeof node?.value === 'string' ? node.value : '')

/** SQL is written in data.ts; dependency-cruiser keeps the drivers out, this keeps `tx.query('select ...')` out. */
export const queriesInData = {
  meta: meta('SQL lives in data.ts and schema.ts'),
  create(context) {
    return {
      CallExpression(node) {
        if (node.callee.type !== 'MemberExpression' || node.callee.property.name !== 'query') return
        if (SQL.test(textOf(node.arguments[0]))) context.report({ node, message: 'A query belongs to data.ts (or data-<what>.ts): give it a name there.' })
      },
    }
  },
}
