import { expect, test } from 'vitest'
import { shellTexts } from '#apps/web/texts.ts'
import { axe, openBrowser, openContext, overflow } from '#platform/testing/browser.ts'
import { sharedServer } from '#platform/testing/server.ts'
import { signedIn } from '../signed-in.ts'
import { register } from '../visitor.ts'

const [browser, server] = await Promise.all([openBrowser(), sharedServer()])
const say = shellTexts.en

test('the zones where one is not are folded, and the foot of the navigation needs no scrolling', async () => {
  const { context, page, problems } = await openContext(browser, { width: 1440, lang: 'en', theme: 'light' })
  await signedIn(context, (await register(server)).token)
  await page.goto(`${server.baseUrl}/api?tab=view`)
  const nav = page.getByRole('navigation', { name: say.navMain })
  const link = (name: string) => nav.getByRole('link', { name, exact: true })
  await link(say.orders).waitFor()
  for (const name of [say.support, say.helpCentre, say.settings]) expect((await nav.getByText(name, { exact: true }).boundingBox())!.y).toBeLessThan(890)
  const tools = nav.getByRole('button', { name: say.zoneTool, exact: true })
  expect([await tools.getAttribute('aria-expanded'), await link(say.numbers).count()]).toEqual(['false', 0])
  await tools.click()
  await link(say.numbers).click()
  await page.waitForURL('**/sms')
  expect([await tools.getAttribute('aria-expanded'), await link(say.numbers).getAttribute('aria-current')]).toEqual(['true', 'page'])
  // of the API the first lines stay, the rest is one press away
  expect([await link(say.usage).count(), await link(say.orders).count()]).toEqual([1, 0])
  await nav.getByRole('button', { name: say.more, exact: true }).click()
  await link(say.orders).waitFor()
  expect(await axe(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})
