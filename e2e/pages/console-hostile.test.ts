import { expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { pickLook, measureOverflow } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { startConsoleServer } from '../console-server.ts'
import { XSS } from '#platform/testing/xss.ts'

// money.md H2 for customers' texts that operators read. The texts are inserted directly into the tables, past all sanitizing, so that only
// the page can prevent an attack.
const { origin, db, deps, at } = await startConsoleServer()
const HOOK = `window.ran = []; for (const name of ['alert', 'print', 'confirm', 'prompt']) window[name] = () => { window.ran.push(name) }`
/** Bidi overrides, invisible characters, unbreakable lines, and marks that stack over other lines. */
const ODD = [
  'refund \u202e00.05$ of $5',
  '\u2066\u2067\u2068abc\u202eevil',
  'a\u200b\u200c\u200d\ufeffb',
  `${'W'.repeat(400)}`,
  '电'.repeat(400),
  `e${'\u0301'.repeat(120)}`,
  '=HYPERLINK("http://x.example","pay")',
]
const TEXTS = [...XSS, ...ODD]
/** Elements that injected markup would create. */
const ALIEN = `[...document.querySelectorAll('main script, iframe, object, embed, base, form[action^="javascript"], [onerror], [onload], [onclick], [onmouseover], a[href]')]
  .filter((part) => part.localName !== 'a' || !/^(https?|mailto):$/.test(part.protocol)).map((part) => part.outerHTML.slice(0, 120))`
/** Finds bidi control characters that share a line with other text, which they would reverse too. */
const TURNING = `(() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!/[\\u202a-\\u202e\\u2066-\\u2069]/.test(node.data)) continue
    let part = node.parentElement
    while (getComputedStyle(part).display === 'inline' && !/isolate|plaintext/.test(getComputedStyle(part).unicodeBidi)) part = part.parentElement
    if (part.innerText.trim() !== node.data.trim()) found.push(part.outerHTML.slice(0, 200))
  }
  return found
})()`

async function createHostileData() {
  const userId = createId('usr')
  await db.query(`insert into account_users (id, name, created_at) values ($1, $2, now())`, [userId, ODD[0]])
  const complaints = TEXTS.map((_, n) => `cmp_hostile${n}`)
  await db.query(
    `insert into support_complaints (id, user_id, email, content, lang, state, created_at)
    select id, $3, 'v@example.com', content, 'zh', 'open', now() - interval '1 hour' from unnest($1::text[], $2::text[]) t (id, content)`,
    [complaints, TEXTS, userId],
  )
  const requests = TEXTS.map((_, n) => `IR-20261121-${String(n).padStart(12, '0')}`)
  await db.query(
    `insert into payments_invoice_requests (request_no, user_id, month, lang, details, note, agreed_fee)
    select no, 'usr_hostile' || no, '2026-10', 'zh', jsonb_build_object('userName', left(words, 120), 'email', 'v@example.com', 'country', left(words, 60), 'state', '', 'city', '', 'addressLine', left(words, 160), 'postalCode', ''), left(words, 300), '1'
    from unnest($1::text[], $2::text[]) t (no, words)`,
    [requests, TEXTS],
  )
  return { userId, complaints, requests }
}

test.each(pickLook())('$width $lang $theme: what customers wrote is text to operators, turns no line of theirs and widens no page', async (look) => {
  const owner = await anOperator(deps, ['owner'], { name: 'Chen Yu' })
  const { userId, complaints, requests } = await createHostileData()
  const { page, context } = await at(look, owner)
  await page.addInitScript(HOOK)
  const seen = async (where: string) => {
    expect([where, await page.evaluate('window.ran')]).toEqual([where, []])
    expect([where, await page.evaluate(ALIEN)]).toEqual([where, []])
    expect([where, await page.evaluate(TURNING)]).toEqual([where, []])
    expect([where, await measureOverflow(page)]).toEqual([where, 0])
  }
  for (const path of ['/support', '/', '/?kind=complaint', '/invoices?state=open', `/customers/${userId}`, `/customers?q=${userId}`]) {
    await page.goto(origin + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => page.locator('.skeleton').count(), { timeout: PATIENCE_MS }).toBe(0)
    await seen(path)
  }
  // opens the merely unusual texts and a sample of the others in full
  const some = TEXTS.map((text, n) => ({ text, n })).filter(({ n }) => n >= XSS.length || n % 24 === 0)
  for (const { text, n } of some) {
    await page.goto(`${origin}/support?open=${complaints[n]!}`)
    const whole = () => page.evaluate<string[]>(`[...document.querySelectorAll('main p')].map((part) => part.textContent)`)
    await expect.poll(whole, { timeout: PATIENCE_MS }).toContain(text)
    await seen(`complaint ${text}`)
    await page.goto(`${origin}/invoices?state=open&open=${requests[n]!}`)
    await expect.poll(whole, { timeout: PATIENCE_MS }).toContain([...text].slice(0, 300).join(''))
    await seen(`invoice ${text}`)
  }
  await context.close()
})
