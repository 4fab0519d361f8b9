// The commands of an installation, for `npm run NAME` in a checkout and `mingxi NAME` in a release.

/** @type {Readonly<Record<string, import('./commands.d.mts').Command>>} */
export const commands = {
  'operate': { program: 'apps/server/operate/operate-command.ts', words: ['operate'] },
  'operators:first': { program: 'apps/server/first-owner-command.ts' },
  'account:freeze': { program: 'apps/server/operate/operate-command.ts', words: ['account:freeze'] },
  'account:thaw': { program: 'apps/server/operate/operate-command.ts', words: ['account:thaw'] },
  'identity:review': { program: 'features/identity/server/review/review-command.ts', reads: ['list'] },
  'wallet:verify': { program: 'features/wallet/server/verify-command.ts' },
  'payments:order': { program: 'features/payments/server/orders/order-command.ts', reads: ['show', 'query', 'faults'] },
  'payments:withdrawals': { program: 'features/payments/server/withdrawals/withdrawals-command.ts', reads: ['list'] },
  'invitations:review': { program: 'features/invitations/server/review/review-command.ts', reads: ['list', 'paid'] },
  'support:answer': { program: 'features/support/server/desk/answer-command.ts', acts: ['--text', '--close', '--snooze', '--priority'] },
  'secrets:reseal': { program: 'apps/server/reseal-command.ts' },
  'gateway:compare': { program: 'features/gateway/server/books/compare-command.ts' },
  'gateway:sums': { program: 'features/gateway/server/usage/sums-command.ts' },
  'gateway:routes': { program: 'features/gateway/server/upstreams/routes-command.ts', reads: ['list'] },
}

/** Runs a change as an operator's command (apps/server/operate/aliases.ts). */
const OPERATE = commands['operate'].program

/**
 * The program of a command and the words that it gets. Names with `reads` or `acts` only read by themselves: a first word outside `reads`, or
 * an option among `acts`, makes the call a change.
 * @param {string} name
 * @param {readonly string[]} rest
 */
export function targetOf(name, rest) {
  const command = commands[name]
  if (!command) return undefined
  const { program, words = [], reads, acts } = command
  const changes = reads ? rest.length > 0 && !reads.includes(rest[0]) : (acts ?? []).some((word) => rest.includes(word))
  return { program: changes ? OPERATE : program, words: [...(changes ? [name] : words), ...rest] }
}
