import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { placeHold } from '#features/wallet/server/door.ts'
import { createDeskTranslator } from '../../console-server.ts'
import type { ConsoleServer } from '../../console-server.ts'
import { createPageCheck } from '../pay-visit.ts'

export const COMMAND_REASON = 'the customer called and was asked back'

/** An operator's page, with the helpers that each step needs. */
export async function openDeskPage({ at }: Pick<ConsoleServer, 'at'>, look: PageLook, who: BuiltOperator) {
  const { page, context, problems } = await at(look, who)
  const t = createDeskTranslator(look.lang)
  const looked = createPageCheck(page, look)
  const dialog = page.getByRole('dialog').last()
  return {
    ...{ page, context, t, dialog },
    seen: async (name: string) => {
      await looked(name)
      expect(problems).toEqual([])
    },
    /** Gives the reason in the dialog and runs the command. */
    run: async (command: string, reason = true) => {
      if (reason) await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(COMMAND_REASON)
      await dialog.getByRole('button', { name: t('words', `command_${command}`), exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
    },
  }
}

export const clickButton = (on: Page | Locator, name: string) => on.getByRole('button', { name, exact: true }).click()

/** A withdrawal that waits for an operator; `dollars` decides if one operator is enough. */
export async function aWaitingWithdrawal({ db }: Pick<ConsoleServer, 'db'>, userId: string, dollars: bigint): Promise<string> {
  await aFundedUser(db, { userId, purchased: 2_000_000_000_000n })
  const withdrawalNo = `W20261122-${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`
  await db.query(
    `insert into payments_withdrawals (withdrawal_no, user_id, amount_nano, rate, pay_minor, state, shown, next_check_at)
    values ($1, $2, $3, '7.1', $4, 'approving', '{"alipay":"w***g@example.com","name":"**明"}', now() + interval '9 days')`,
    [withdrawalNo, userId, dollars * 1_000_000_000n, dollars * 710n],
  )
  await transact(db, SYSTEM, async (tx) => {
    await placeHold(tx, { id: withdrawalNo, userId, amount: dollars * 1_000_000_000n, ttlSeconds: 864_000, purpose: 'withdrawal', onlyPurchased: true })
    await tx.audit('withdrawal.built', `withdrawal:${withdrawalNo}`)
  })
  return withdrawalNo
}
