import { meta } from './small-rules.mjs'

const CHECKS = /^(require|allow|permit|may|check|verify|authenticate|authorise)[A-Z]/
const nameOf = (callee) => (callee.type === 'MemberExpression' ? callee.property.name : callee.name) ?? ''

/**
 * A verb that opens a transaction (`transact`), or works in its request's (`ctx.tx`), says who did it and asks whether
 * they may:
 * - it calls `.audit(`, or names the door verb that does: `// audited by hold` (that verb must be called here);
 * - it looks at the caller (`userId`, or a requireX / checkX call), names another actor than `ctx.actor` for the
 *   transaction (SYSTEM, a channel, the user just found, the one handed in), or says `// anybody may: <reason>`.
 */
export const verbTransactionAudits = {
  meta: meta('a verb with a transaction writes its audit row and checks permission'),
  create(context) {
    const calls = new Set()
    const opened = []
    const anybody = []
    let sawCaller = false
    return {
      'CallExpression'(node) {
        const name = nameOf(node.callee)
        calls.add(name)
        if (name === 'transact') opened.push(node)
        const by = name === 'transact' ? node.arguments[1] : undefined
        if (by?.type === 'MemberExpression' && by.property.name === 'actor') anybody.push(node)
        if (CHECKS.test(name)) sawCaller = true
      },
      'MemberExpression'(node) {
        if (node.object.name !== 'ctx' || node.property.name !== 'tx') return
        opened.push(node)
        anybody.push(node)
      },
      'Identifier'(node) {
        if (node.name === 'userId') sawCaller = true
      },
      'Program:exit'() {
        const comments = context.sourceCode.getAllComments().map((comment) => comment.value)
        const delegate = comments.map((text) => /audited by (?:\w+\.)?(\w+)/.exec(text)?.[1]).find(Boolean)
        const [first] = opened
        if (!first) return
        if (delegate && !calls.has(delegate))
          context.report({ node: first, message: `The comment says "audited by ${delegate}", but ${delegate} is not called here.` })
        else if (!calls.has('audit') && !delegate)
          context.report({
            node: first,
            message: 'A transaction without an audit row: call tx.audit(...), or name the called verb that does: // audited by <verb>',
          })
        if (anybody.length && !sawCaller && !comments.some((text) => /anybody may: \S/.test(text))) {
          context.report({
            node: anybody[0],
            message: 'Who may do this? Use ctx.userId or a require... call, name the actor, or say why: // anybody may: <reason>',
          })
        }
      },
    }
  },
}
