import { mkdirSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import { beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import { readCopiedText } from '#platform/testing/browsing/copied-text.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { fill } from '#platform/shared/texts.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { mailboxTexts } from '#features/mailbox/texts.ts'
import { numberTexts } from '#features/numbers/texts.ts'
import { aBrowserPayer, fundPayer, createPageCheck } from '../pay-visit.ts'

// A member rents a number and gets its code, lets one expire; opens a mailbox and reads a mail sent over SMTP.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

async function withDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(server.databaseUrl, { max: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
const giveCard = (userId: string) =>
  withDb((db) =>
    db.query(
      `insert into cards_cards (id, user_id, type, state, issuer, issuer_state, months, next_check_at, activated, opened_at)
        values ($1, $2, 'standard', 'active', 'sandbox', 'active', 24, null, true, now())`,
      [`card_${createRandomCode(16).toLowerCase()}`, userId],
    ),
  )
/** Sends a text on the sandbox's page, in the role of the service. */
async function sendSandboxText(number: string, words: string): Promise<void> {
  const ref = await withDb(
    async (db) => (await db.query<{ ref: string }>(`select ref from numbers_sandbox where number = $1 and state = 'open'`, [number]))[0]!.ref,
  )
  await fetch(`${server.baseUrl}/sandbox/numbers/send`, { method: 'POST', body: new URLSearchParams({ ref, text: words }), redirect: 'manual' })
}

test.each(pickLook())('$width $lang $theme: a number gets its code while the page is watched, another one expires', async (look) => {
  const t = numberTexts[look.lang]
  const member = await aBrowserPayer(browser, server, look)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  await page.goto(`${server.baseUrl}/sms`)
  await page.getByText(t['needCard'], { exact: true }).waitFor()
  await giveCard(member.userId)
  await page.reload()
  await page.getByRole('button', { name: t['get'], exact: true }).waitFor()
  await seen('numbers-choose')
  await page.getByRole('button', { name: t['get'], exact: true }).click()
  await page.getByText(t['codeHint'], { exact: true }).waitFor()
  const copy = page.getByRole('button', { name: t['copyNumber'], exact: true })
  await copy.click()
  const number = await readCopiedText(page)
  expect(number).toMatch(/^\+1\d{10}$/)
  await seen('numbers-waiting', 'passes')
  await sendSandboxText(number, 'Your OpenAI code is: 739204. Don’t share it.')
  // The code appears without a press
  await page.getByRole('button', { name: t['copyCode'], exact: true }).first().click()
  expect(await readCopiedText(page)).toBe('739204')
  await seen('numbers-received')
  await page.reload()
  await page.getByText('739204').first().waitFor()
  await page.getByRole('button', { name: t['oneMore'], exact: true }).click()
  await page.getByText(t['codeHint'], { exact: true }).waitFor()
  await copy.waitFor()
  await withDb((db) =>
    db.query(`update services_tasks set deadline_at = clock_timestamp(), next_check_at = clock_timestamp() where user_id = $1 and state = 'waiting'`, [
      member.userId,
    ]),
  )
  await page.getByText(fill(t['cause_no_code'], { minutes: '25' }), { exact: true }).waitFor()
  await page.getByText(t['backUse'], { exact: true }).waitFor()
  // Reopened, the page shows the number that is still listening
  await seen('numbers-expired', 'passes')
  await page.getByRole('button', { name: t['toNumbers'], exact: true }).click()
  await page.getByText(fill(t['left'], { count: '2' }), { exact: true }).waitFor()
  expect(problems).toEqual([])
  await member.context.close()
})

test.each(pickLook())('$width $lang $theme: a mailbox is opened, a mail sent to it is there, and closes with it', async (look) => {
  const t = mailboxTexts[look.lang]
  const member = await aBrowserPayer(browser, server, look)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  await giveCard(member.userId)
  await fundPayer(server, member, 5_000_000_000n)
  await page.goto(`${server.baseUrl}/email`)
  const name = `j${Math.random().toString(36).slice(2, 10)}`
  await page.getByLabel(t['name'], { exact: true }).fill(name)
  await seen('mailbox-apply')
  // A reload clears the typed input
  await page.getByLabel(t['name'], { exact: true }).fill(name)
  await page.getByRole('button', { name: t['makeFree'], exact: true }).click()
  await page.getByText(t['setTitle'], { exact: true }).waitFor()
  await seen('mailbox-fresh')
  await page.getByLabel(t['boxPassword'], { exact: true }).fill('open sesame 7')
  await page.getByLabel(t['boxConfirm'], { exact: true }).fill('open sesame 7')
  await page.getByRole('button', { name: t['setDo'], exact: true }).click()
  await page.getByText(t['inboxEmpty'], { exact: true }).waitFor()
  const port = await waitForValue(
    () => withDb(async (db) => (await db.query<{ port: number }>('select port from mailbox_receivers order by seen_at desc limit 1'))[0]?.port),
    'a process that receives mail',
  )
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, tls: { rejectUnauthorized: false } })
  await transport.sendMail({
    from: 'OpenAI <noreply@sender.example>',
    to: `${name}@box.mingxi.example`,
    subject: 'Your temporary ChatGPT login code with quite a long subject that does not fit',
    text: 'Enter this temporary code: 508116',
    html: '<h1>Hello</h1><p>Enter this temporary code: <b>508116</b></p><img src="https://track.example/p.gif"><script>alert(1)</script>',
    attachments: [{ filename: '收据 receipt.pdf', content: 'PDF' }],
  })
  transport.close()
  // The mail appears without a press
  await page.getByText('508116', { exact: true }).waitFor()
  await seen('mailbox-inbox')
  await page.getByText(/Your temporary ChatGPT/).click()
  await page.frameLocator('iframe').getByText('508116', { exact: true }).waitFor()
  await page.getByText(fill(t['blockedNote'], { count: '1' }), { exact: true }).waitFor()
  await page.getByRole('button', { name: t['inbox'], exact: true }).click()
  await page.getByRole('button', { name: t['closeBox'], exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t['closeBox'], exact: true }).click()
  await page.getByText(t['boxCause_closed'], { exact: true }).waitFor()
  // The test's sign-in script also runs in the mail's frame, which has no storage
  expect(problems.filter((problem) => !problem.includes('sandboxed'))).toEqual([])
  await member.context.close()
})
