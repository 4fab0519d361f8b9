import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { usdAmount } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { createId } from '#platform/shared/ids.ts'
import { findContact, resolveUserId } from '#features/account/server/door.ts'
import { readBalance, creditUser } from '#features/wallet/server/door.ts'

const PURPOSES = ['goodwill', 'compensation', 'promotion', 'test'] as const

/**
 * Operator commands for granted credit. Each grant is a separate lot with a purpose and an expiry, can be spent but not withdrawn, and
 * never sets a balance.
 */
export const grantCommands = [
  defineCommand({
    name: 'credit.grant',
    summary: 'Gives a customer credit, with a purpose and an expiry',
    permission: 'customers.grant',
    money: 'counted',
    input: z.object({ user: z.string().min(1).max(254), amount: usdAmount, purpose: z.enum(PURPOSES), days: z.int().min(1).max(730) }),
    resolve: async ({ db }, input) => ({ ...input, user: await resolveUserId(db, input.user) }),
    subject: async (_deps, { user }) => `user:${user}`,
    weigh: async (_deps, { user, amount }) => ({ userId: user, amount: parseUsd(amount) }),
    look: async ({ tx }, { user }) => {
      const { grantedUnspent, receivable } = await readBalance(tx, user)
      return { granted: formatUsd(grantedUnspent), debt: formatUsd(receivable) }
    },
    run: async ({ deps, tx, reason }, { user, amount, purpose, days }) => {
      if (!(await findContact(tx, user))) fail('NOT_FOUND')
      const now = deps.clock.now()
      const ref = createId('grant', now.getTime())
      await creditUser(tx, { userId: user, amount: parseUsd(amount), ref, from: 'grants', expiresAt: new Date(now.getTime() + days * 86_400_000) })
      await tx.audit('credit.granted', `user:${user}`, { amount, purpose, days, ref, reason })
      return { purpose, days }
    },
    // Spending continues while a grant waits for its second approver.
    loose: ['granted', 'debt'],
  }),
] as const
