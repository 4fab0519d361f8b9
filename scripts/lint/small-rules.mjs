/** @param {string} docs @param {object[]} [schema] */
export const meta = (docs, schema = []) => ({ type: /** @type {const} */ ('problem'), docs: { description: docs }, schema })

/** Functions, not classes. Errors must be classes to be distinguishable, so subclasses of errors are allowed. */
export const noClass = {
  meta: meta('functions, not classes'),
  create(context) {
    const check = (node) => {
      const parent = node.superClass?.name ?? ''
      if (!/(Error|Failure)$/.test(parent)) context.report({ node, message: 'Functions, not classes (an Error subclass may stay).' })
    }
    return { ClassDeclaration: check, ClassExpression: check }
  },
}

/** The environment is read once, checked and frozen by platform/server/config.ts. */
export const noProcessEnv = {
  meta: meta('no process.env outside config.ts'),
  create(context) {
    const message = 'Read the environment in platform/server/config.ts only; take the value from deps.config.'
    const named = (node, name) => node && (node.name === name || node.value === name)
    return {
      MemberExpression(node) {
        if (node.object.type === 'Identifier' && node.object.name === 'process' && named(node.property, 'env')) context.report({ node, message })
      },
      VariableDeclarator(node) {
        if (
          node.init?.type === 'Identifier' &&
          node.init.name === 'process' &&
          node.id.type === 'ObjectPattern' &&
          node.id.properties.some((one) => named(one.key, 'env'))
        )
          context.report({ node, message })
      },
      ImportSpecifier(node) {
        if (/^(node:)?process$/.test(node.parent.source.value) && named(node.imported, 'env')) context.report({ node, message })
      },
    }
  },
}

/** 80 lines is normal, 230 long (eslint/max-lines warns), 400 refused. */
export const maxFileLines = {
  meta: meta('files of 400 lines are refused', [{ type: 'object', properties: { max: { type: 'integer' } }, additionalProperties: false }]),
  create(context) {
    const max = context.options[0]?.max ?? 400
    return {
      Program(node) {
        const lines = context.sourceCode.text.replace(/\n$/, '').split('\n').length
        if (lines > max) context.report({ node, message: `${lines} lines; ${max} is the most a file may have. Split it by what it does.` })
      },
    }
  },
}
