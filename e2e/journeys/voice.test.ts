import { mkdirSync } from 'node:fs'
import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { flexTexts } from '#features/flex/texts.ts'
import { voiceTexts } from '#features/flex/texts-voice.ts'
import { callPlatform } from '../visitor.ts'
import { aBrowserPayer, markAsPaidBefore, createPageCheck } from './pay-visit.ts'
import type { BrowserPayer } from './pay-visit.ts'

// Two browsers with beeping microphones meet in the room of one subscription and hear each other, until one mutes and leaves. A third one
// is refused.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

/** Maximum people in a room (`flex.voice_people`). */
const PEOPLE = 4

/** A user with a microphone, whose peer connections are stored on the page for the test to inspect. */
async function aVoiceUser(look: PageLook): Promise<BrowserPayer> {
  const payer = await aBrowserPayer(browser, server, look)
  await markAsPaidBefore(server, payer)
  await payer.context.addInitScript(`
    window.lines = []
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...given) {
        super(...given)
        window.lines.push(this)
      }
    }
  `)
  return payer
}

/** Totals received so far by the page's newest connection over all tracks: packets, and the energy of the decoded audio. */
interface Heard {
  readonly lines: number
  readonly packets: number
  readonly energy: number
}
const readHeard = (page: Page): Promise<Heard> =>
  page.evaluate(`(async () => {
    const sum = { lines: 0, packets: 0, energy: 0 }
    for (const { type, packetsReceived, totalAudioEnergy } of (await window.lines.at(-1)?.getStats())?.values() ?? []) {
      if (type !== 'inbound-rtp' || !packetsReceived) continue
      sum.lines++
      sum.packets += packetsReceived
      sum.energy += totalAudioEnergy ?? 0
    }
    return sum
  })()`)

/** Opus packets per second. */
const SECOND = 50
/** Minimum energy of a second in which a participant beeps; silence has less than a thousandth of it. */
const LOUD = 1e-5

/** Audio energy of the next second of packets. */
async function measureSecond(page: Page): Promise<number> {
  const before = await readHeard(page)
  const after = await waitForValue(async () => {
    const now = await readHeard(page)
    return now.packets >= before.packets + SECOND ? now : undefined
  }, 'a second of sound')
  return after.energy - before.energy
}
const waitForVoice = (page: Page) => waitForValue(async () => ((await measureSecond(page)) > LOUD ? true : undefined), 'a voice')
const waitForSilence = (page: Page) => waitForValue(async () => ((await measureSecond(page)) < LOUD / 1000 ? true : undefined), 'silence')

/** Subscribes to a day of ChatGPT, which includes voice. */
async function aSubscription({ token }: BrowserPayer): Promise<void> {
  const headers = { 'accesstoken': token, 'idempotency-key': createId('key') }
  expect((await callPlatform(server, 'POST', { path: '/v1/tool/openaiPlus/applySharePlus', input: { packageId: 1, inviteCode: '' }, headers })).code).toBe(200)
  await waitForValue(async () => {
    const { data } = await callPlatform(server, 'GET', { path: '/v1/tool/openaiPlus/shareUseInfo', headers: { accesstoken: token } })
    return data.rowList[0]?.hasVoiceRoom
  }, 'the subscription')
}

test.each(pickLook())('$width $lang $theme: two hear each other in a voice room; one mutes and leaves; a stranger stays outside', async (look) => {
  const t = voiceTexts[look.lang]
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const crowd = (here: number) => fill(t.voiceHere, { here, people: PEOPLE })
  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
  const owner = await aVoiceUser(look)
  const guest = await aVoiceUser({ ...look, width: look.width === 414 ? 1440 : 414 })
  const seen = createPageCheck(owner.page, look)

  await aSubscription(owner)
  await owner.page.goto(`${server.baseUrl}/gpt-plus-share`)
  await owner.page.getByRole('link', { name: flexTexts[look.lang].voiceRoomEnter }).click()
  await button(owner.page, t.voiceJoin).waitFor()
  await seen('voice-before')
  await button(owner.page, t.voiceJoin).click()
  await owner.page.getByText(t.voiceAlone).waitFor()

  const asksFor = (reply: Response) => reply.url().endsWith('/voiceInvite')
  const [invited] = await Promise.all([owner.page.waitForResponse(asksFor), button(owner.page, t.voiceInvite).click()])
  const { data } = (await invited.json()) as { data: { url: string } }
  await guest.page.goto(data.url)
  await guest.page.getByText(crowd(1)).waitFor()
  await button(guest.page, t.voiceJoin).click()
  await Promise.all([owner, guest].map(({ page }) => page.getByText(crowd(2)).waitFor()))
  await Promise.all([waitForVoice(owner.page), waitForVoice(guest.page)])
  // Each participant receives one audio line of three, and the page shows it
  expect([(await readHeard(owner.page)).lines, (await readHeard(guest.page)).lines]).toEqual([1, 1])
  const level = async () => Number(await row(owner.page, t.voiceGuest).getByRole('meter').getAttribute('aria-valuenow'))
  await waitForValue(async () => ((await level()) > 0 ? true : undefined), 'a level that moves')
  await seen('voice-talk', 'passes')

  await button(guest.page, t.voiceMute).click()
  await row(owner.page, t.voiceGuest).getByText(t.voiceMuted).waitFor()
  await waitForSilence(owner.page)
  await waitForVoice(guest.page)
  await seen('voice-muted', 'passes')
  await button(guest.page, t.voiceUnmute).click()
  await waitForVoice(owner.page)

  await checkOutsider(look, data.url, t)
  expect((await readHeard(owner.page)).lines).toBe(1)

  await button(guest.page, t.voiceLeave).click()
  await guest.page.getByText(t.voiceLeft).waitFor()
  await owner.page.getByText(t.voiceAlone).waitFor()
  expect([...owner.problems, ...guest.problems]).toEqual([])
  await Promise.all([owner.context.close(), guest.context.close()])
})

/** A user without a subscription gets no room, and a tampered invitation opens none. */
async function checkOutsider(look: PageLook, invitation: string, t: (typeof voiceTexts)['en']): Promise<void> {
  const { page, context, token } = await aVoiceUser(look)
  await page.goto(`${server.baseUrl}/voice`)
  await page.getByText(t.voiceClosedOwn).waitFor()
  await createPageCheck(page, look)('voice-closed')
  expect(await page.getByRole('button', { name: t.voiceJoin, exact: true }).count()).toBe(0)
  const [head, body, signature] = new URL(invitation).hash.slice(1).split('.') as [string, string, string]
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { exp: number }
  const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 3600 })).toString('base64url')
  await page.goto('about:blank')
  await page.goto(`${server.baseUrl}/voice#${head}.${longer}.${signature}`)
  await page.getByText(t.voiceClosedHow).waitFor()
  const forged = { token: `${head}.${longer}.${signature}`, sdp: 'v=0\r\n'.repeat(20) }
  expect((await callPlatform(server, 'POST', { path: '/v1/tool/voice/join', input: forged, headers: { accesstoken: token } })).code).toBe(3712)
  await context.close()
}
