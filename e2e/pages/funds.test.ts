import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { runAxe, openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import { mockContract } from '#platform/testing/page-mock.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { fundsContract } from '#features/wallet/contract-funds.ts'
import type { FundsRow } from '#features/wallet/contract-funds.ts'
import { fundsTexts } from '#features/payments/texts-funds.ts'
import { registerByHttp } from '../visitor.ts'
import { seedSession } from '../signed-in.ts'

// The funds page and the overview's figures on mocked replies: every amount is shown whole and marked, and the URL keeps the filters.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
let visitor: { token: string; email: string; password: string }
beforeAll(async () => {
  visitor = await registerByHttp(server)
})

const none = { about: '', state: null, orderNo: null, withdrawalNo: null, cardId: null, hasReceipt: false, days: null } as const
const rows: FundsRow[] = [
  {
    ...{ ...none, id: 'u2026-11-28', kind: 'gateway.usage', category: 'spend', at: '2026-11-28T05:58:00.000Z', title: 'API 调用，今天到现在' },
    ...{ about: '342 次，6 个模型', from: '余额', to: 'API', amount: '-1.284103', balance: '15.831357' },
    days: [{ day: '2026-11-28', keyId: 'k1', keyName: '生产', calls: 342, models: 6, amount: '-1.284103' }],
  },
  {
    ...{
      ...none,
      id: 't9',
      kind: 'card.recharge',
      category: 'card',
      at: '2026-11-28T01:41:00.000Z',
      title: '转到标准卡 4829',
      cardId: 'card_0123456789abcdef',
    },
    ...{ about: '到卡 $25.00，免手续费', from: '余额', to: '标准卡 4829', amount: '-25', balance: '17.11546' },
  },
  {
    ...{ ...none, id: 't8', kind: 'withdraw.sent', category: 'withdraw', at: '2026-11-27T02:18:00.000Z', title: '提现到支付宝', state: 'processing' },
    ...{ about: '到账 ¥142.46', from: '余额', to: '支付宝 138****6021', amount: '-20', balance: '42.11546', withdrawalNo: 'W20261127-0123456789AB' },
  },
  {
    ...{ ...none, id: 't7', kind: 'topup', category: 'topup', at: '2026-11-26T14:03:00.000Z', title: '国际银行卡充值', hasReceipt: true },
    ...{ about: '另付手续费 $1.40', from: '国际银行卡 $41.40', to: '余额', amount: '40', balance: '62.11546', orderNo: '20261126-8F31A0B2C4D6' },
  },
]
const totals = { opening: '22.11546', topup: '40', refund: '0', reward: '0', spend: '1.284103', card: '25', withdraw: '20', closing: '15.831357' }
const counts = { all: 4, topup: 1, spend: 1, card: 1, withdraw: 1, refund: 0, reward: 0 }

async function openFunds(
  path: string,
  width: number,
  { lang = 'zh', theme = 'light' }: { readonly lang?: 'zh' | 'en'; readonly theme?: 'light' | 'dark' } = {},
): Promise<Page> {
  const { context, page } = await openBrowserContext(browser, { width: width as 1440, lang, theme })
  await seedSession(context, visitor.token)
  await mockContract(page, fundsContract, {
    funds: ({ category }: { category?: string }) => {
      const found = rows.filter((row) => category === undefined || row.category === category)
      return {
        ...{
          month: '2026-11',
          firstMonth: '2026-09',
          isCurrent: true,
          asOf: '2026-11-28T06:20:00.000Z',
          totals,
          counts,
          spent: { api: '1.284103', other: '0' },
        },
        ...{ rowList: found, found: found.length, sum: '-6.284103', next: null },
      }
    },
    fundsSummary: () => ({
      ...{ added: '386', topup: '380', reward: '6', refunded: '0', spent: '172.168643', monthSpent: '55.377943', out: '198', card: '178', withdraw: '20' },
      ...{ chargeback: '0', balance: '15.831357', held: '0', recent: rows, asOf: '2026-11-28T06:20:00.000Z' },
    }),
  })
  await page.goto(`${server.baseUrl}${path}`)
  return page
}

const readFigures = (page: Page, name: string) => page.locator(`[data-figure="${name}"]:visible`).allInnerTexts()

test('the ledger at each width: nothing spills, every amount is whole and marked', async () => {
  for (const [width, lang, theme] of [
    [1440, 'zh', 'light'],
    [1024, 'en', 'dark'],
    [768, 'zh', 'light'],
    [414, 'zh', 'light'],
    [320, 'en', 'light'],
  ] as const) {
    const page = await openFunds('/api?tab=rechargeRecord&month=2026-11', width, { lang, theme })
    await page.locator('[data-movement="t7"]').waitFor()
    expect(await readFigures(page, 'funds.row.amount')).toEqual(['−$1.284103', '−$25.00', '−$20.00', '+$40.00'])
    expect(await readFigures(page, 'funds.closing')).toEqual(['$15.831357'])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.screenshot({ path: `e2e/.shots/funds-${width}-${lang}.png`, fullPage: true })
    expect(await runAxe(page)).toEqual([])
    await page.context().close()
  }
})

test('a filter goes into the address and keeps the sum; J and Enter open a row, Escape closes it', async () => {
  const page = await openFunds('/api?tab=rechargeRecord', 1440)
  await page.getByRole('button', { name: /^转到卡/ }).click()
  await page.waitForURL('**kind=card**')
  await page.locator('[data-movement="t9"]').waitFor()
  expect(await page.locator('[data-movement]').count()).toBe(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('42.11546').waitFor()
  await page.screenshot({ path: 'e2e/.shots/funds-sheet.png' })
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await page.context().close()
})

test('the overview: four figures that make an equation, each opens its rows', async () => {
  for (const [width, lang] of [
    [1440, 'zh'],
    [1024, 'en'],
    [414, 'zh'],
  ] as const) {
    const page = await openFunds('/api?tab=view', width, { lang })
    await page.locator('[data-figure="overview.out"]').waitFor()
    for (const [name, text] of Object.entries({ balance: '$15.831357', added: '$386.00', spent: '$172.168643', month: '$55.377943', out: '$198.00' }))
      expect([name, await readFigures(page, `overview.${name}`)]).toEqual([name, [text]])
    expect(await page.getByText(/已扣回|taken back/i).count()).toBe(0)
    await page.screenshot({ path: `e2e/.shots/overview-${width}-${lang}.png`, fullPage: true })
    if (width === 1440) {
      await page.getByRole('link', { name: new RegExp(fundsTexts.zh['sum_spent']) }).click()
      await page.waitForURL('**kind=spend**')
    }
    await page.context().close()
  }
})
