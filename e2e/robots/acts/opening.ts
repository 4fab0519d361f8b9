import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scaleTimeout } from '#platform/testing/patience.ts'
import type { SeededRandom } from '../people/random.ts'
import { expectEqual } from './act.ts'
import type { RobotAct, Robot } from './act.ts'
import { ensureBalance, payForPurchase } from './paying.ts'

const PICTURE = readFileSync(join(import.meta.dirname, '../people/paper.jpg'))
/** Fields of the identity papers, as confirmed by a person who checked them all. */
const CONFIRMED_FIELDS = ['chineseName', 'latinName', 'number', 'birthDate', 'sex', 'nation', 'address', 'issuer', 'validFrom', 'validUntil', 'country']
const MADE_WITHIN_MS = scaleTimeout(15_000)
const REPORTED_WITHIN_MS = scaleTimeout(45_000)

/** The person as `/account/create` takes them, exactly as typed. */
function buildTypedFields({ person }: Robot, files: Readonly<Record<string, string>>): Record<string, unknown> {
  const { paper, chineseName, lastName, firstName, number, birthDate, address } = person
  return {
    paper,
    chineseName,
    lastName,
    firstName,
    number,
    birthDate,
    validUntil: '2036-03-09',
    issuer: '公安局',
    ...address,
    email: '',
    files,
    confirmed: CONFIRMED_FIELDS,
  }
}

async function upload({ client }: Robot, purpose: string): Promise<string> {
  const { data, code } = await client.get('/common/upload/policy', { purpose, type: 'image/jpeg', size: PICTURE.length })
  if (code !== 200) return ''
  const form = new FormData()
  for (const [name, value] of Object.entries(data.fields as Record<string, string>)) form.append(name, value)
  form.append('file', new Blob([PICTURE], { type: 'image/jpeg' }))
  await client.fetch(data.url, { method: 'POST', body: form })
  await client.post('/common/upload/done', { filePath: data.filePath })
  return data.filePath
}

/** Goes from the notice to the payment step, with a possible refusal at each step. Returns the step that it reached. */
export async function passIdentification(robot: Robot, random: SeededRandom, { untilFace = false } = {}): Promise<string> {
  const { client, person } = robot
  let flow = (await client.get('/account/opening')).data
  if (flow.step === 'notice') flow = (await client.post('/account/opening/notice', { agreed: true })).data
  if (flow.step === 'taxpayer') {
    if (random.percent(5)) await client.post('/account/opening/taxpayer', { isTaxResidentUS: true, declared: true })
    flow = (await client.post('/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })).data
  }
  if (flow.step === 'method') flow = (await client.post('/account/opening/method', { method: person.method })).data
  if (flow.step === 'papers') {
    const needed = flow.needed as Readonly<Record<string, readonly string[]>>
    const files: Record<string, string> = {}
    for (const purpose of needed[person.paper]!) files[purpose] = await upload(robot, purpose)
    const saved = await client.post('/account/create', buildTypedFields(robot, files))
    if (saved.code !== 200) return `papers: ${saved.msg}`
    if (person.isMinor) robot.report({ rule: 'minors', subject: person.birthDate, seen: 'taken', expected: 'refused' })
    flow = saved.data
  }
  if (flow.step === 'face' && !untilFace) {
    await showFace(robot, random)
    flow = (await client.get('/account/opening')).data
  }
  return flow.step
}

/** Passes the check in front of the sandbox's camera, at the URL that the page gives; fails now and then first. */
async function showFace({ client, report }: Robot, random: SeededRandom): Promise<void> {
  for (const saw of random.percent(25) ? ['failed', 'passed'] : ['passed']) {
    const started = await client.get('/account/identityVerify', { returnUrl: '/open-account' })
    if (started.code !== 200) return
    const page = await client.fetch(started.data.url)
    const action = /action="([^"]+)"/.exec(await page.text())?.[1]
    const isOver = async (): Promise<boolean> =>
      (await client.get('/account/identityVerifyStatus', { certifyId: started.data.certifyId })).data?.state !== 'processing'
    if (!action) {
      // the vendor's check is over, but its status query did not say so yet: the platform polls again by itself
      for (const until = Date.now() + REPORTED_WITHIN_MS; !(await isOver()); await sleep(1_000))
        if (Date.now() > until) return report({ rule: 'the face check', subject: started.data.url, seen: 'a page without a form', expected: 'a form' })
      return
    }
    const from = new URL(started.data.url).origin
    await client.fetch(new URL(action, from).href, { method: 'POST', body: new URLSearchParams({ saw }) })
    await isOver()
  }
}

/** The newest card once the issuer has replied; undefined if it takes longer than a person waits. */
async function waitForCard({ client }: Robot, orderNo: string): Promise<any> {
  for (const until = Date.now() + MADE_WITHIN_MS; ; await sleep(150)) {
    const { data } = await client.get('/card/opening')
    const card = data.card
    if (card && (card.state === 'active' || card.state === 'failed')) return card
    const { data: order } = await client.post('/api/go/v1/payStatus', { order_id: orderNo })
    if (order?.payStatus === 2 || Date.now() > until) return undefined
  }
}

async function openAnyCard(robot: Robot, random: SeededRandom): Promise<string> {
  const { client } = robot
  const step = await passIdentification(robot, random)
  if (step !== 'payment') return step
  const type = random.percent(30) ? 'pro' : 'standard'
  const offer = await client.post('/card/create', { type })
  if (offer.code !== 200) return offer.msg
  const { data: shown } = await client.get('/card/opening', { type })
  expectEqual(robot, 'one price', { subject: `opening a ${type} card`, seen: offer.data.amount, expected: shown.total })
  if (random.percent(50)) await ensureBalance(robot, random, Number(shown.total))
  const paid = await payForPurchase(robot, random, {
    wanted: { orderType: offer.data.orderType, amount: offer.data.amount, service: offer.data.service },
    wish: { surely: random.percent(80) },
  })
  if (typeof paid === 'string') return paid
  const card = await waitForCard(robot, paid.orderNo)
  return `${type} ${paid.orderNo} by ${paid.how}: ${card ? `${card.state} ${card.failReason}` : 'not yet'}`
}

/** Repeats the steps before the payment, or runs them out of order. */
async function skipSteps({ client, person }: Robot, random: SeededRandom): Promise<string> {
  const tries: readonly (() => ReturnType<Robot['client']['post']>)[] = [
    () => client.post('/card/create', { type: 'pro' }),
    () => client.post('/account/update'),
    () => client.post('/account/opening/method', { method: person.method === 'face' ? 'deposit' : 'face' }),
    () => client.get('/account/identityVerify'),
    () => client.post('/account/opening/draft', { values: { street: person.address.street, number: '1' }, confirmed: [] }),
    () => client.post('/account/opening/pinyin', { chineseName: person.chineseName || '王' }),
  ]
  return (await random.pick(tries)()).msg
}

export const openingActs: readonly RobotAct[] = [
  { name: 'open a card', weight: 7, run: openAnyCard },
  { name: 'stumble at opening', weight: 1, run: skipSteps },
]
