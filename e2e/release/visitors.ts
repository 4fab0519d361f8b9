// node e2e/release/visitors.ts SITE CONSOLE INVITATION: uses an installation over HTTPS as customers and operators do. Prints one line per
// working step.
import { TOTP } from 'otpauth'
import { payForPurchase } from '../robots/acts/paying.ts'
import { signUpRobot } from '../robots/acts/signing-up.ts'
import type { Robot } from '../robots/acts/act.ts'
import { createRobotClient } from '../robots/people/client.ts'
import { drawPerson } from '../robots/people/person.ts'
import { createSeededRandom, deriveSeed } from '../robots/people/random.ts'
import { callChatModel, fetchPageWithFiles } from './rehearsal.ts'

const [site, desk, invite] = process.argv.slice(2) as [string, string, string]
const expectWorks = (what: string, isTrue: boolean, seen: unknown): void => {
  if (!isTrue) throw new Error(`${what}: ${JSON.stringify(seen)}`)
  console.log(`ok  ${what}`)
}
const post = async (url: string, body: object, headers: Record<string, string> = {}) =>
  (await (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })).json()) as {
    code: number
    data: any
  }

for (const [name, url] of Object.entries({ site, console: desk })) {
  const { status, files } = await fetchPageWithFiles(`${url}/`)
  expectWorks(`the ${name} opens, with its ${files.length} files`, status === 200 && files.length > 0 && files.every((one) => one === 200), { status, files })
}

// a customer
const random = createSeededRandom(deriveSeed(44, 'installation', 0))
const person = drawPerson(44, process.pid % 1000, 0)
const report: Robot['report'] = ({ rule, subject, seen }) => console.log(`    ${rule} ${subject} ${seen}`)
const client = createRobotClient(person, { siteUrl: site, report, note: () => undefined })
const memory: Robot['memory'] = { userId: '', hasPin: false, contact: '', isGone: false, keys: [], paid: [] }
const robot = { person, client, memory, codes: [], report } as unknown as Robot
await signUpRobot(robot, random)
expectWorks('a customer signs up with a code', memory.userId !== '', memory)
const paid = await payForPurchase(robot, random, { wanted: { orderType: 10, amount: '20' }, wish: { from: 'channel', surely: true } })
expectWorks('a top-up of 20 dollars is paid and booked', typeof paid !== 'string' && paid.state === 'fulfilled', paid)
const { data: balance } = await client.get('/v1/userWrapperApi/balanceInfo')
const made = await client.post('/user/key/generate', { keyName: 'installation' })
expectWorks('a key is made', made.code === 200, made)
const answer = JSON.parse(await callChatModel(site, made.data.apiToken)) as { choices?: { message: { content: string } }[] }
expectWorks('a model answers', Boolean(answer.choices?.[0]?.message.content), answer)
for (const until = Date.now() + 20_000; ;) {
  const { data: now } = await client.get('/v1/userWrapperApi/balanceInfo')
  if (Number(now.balance) < Number(balance.balance)) {
    expectWorks(`the call is charged: ${balance.balance} -> ${now.balance}`, true, now)
    break
  }
  if (Date.now() > until) expectWorks('the call is charged', false, { balance, now })
}

// an operator
const { data: opened } = await post(`${desk}/operator/invite/open`, { invite })
const code = (): string => new TOTP({ secret: opened.secret }).generate()
const password = 'a long rehearsal password 44'
const accepted = await post(`${desk}/operator/invite/accept`, { invite, password, code: code() })
expectWorks('the first owner accepts the invitation', accepted.code === 200, accepted)
const operatorInfo = (await (await fetch(`${desk}/operator/me`, { headers: { operatortoken: accepted.data.token } })).json()) as {
  code: number
  data: { mail: string }
}
expectWorks(`and is signed in as ${operatorInfo.data.mail}`, operatorInfo.code === 200, operatorInfo)

// closed addresses
const fetchStatus = async (url: string, init: RequestInit = {}): Promise<string> => {
  const reply = await fetch(url, { redirect: 'manual', ...init })
  return `${reply.status} ${reply.headers.get('content-type') ?? ''}`
}
for (const path of ['/metrics', '/%6detrics', '/readyz', '/%72eadyz'])
  expectWorks(`${path} is closed`, (await fetchStatus(`${site}${path}`)).startsWith('404 application/json'), await fetchStatus(`${site}${path}`))
expectWorks('http leads to https', (await fetchStatus(site.replace('https', 'http'))).startsWith('308'), await fetchStatus(site.replace('https', 'http')))
expectWorks('the console is not at the address of the site', (await fetchStatus(`${site}/operator/me`)) !== '200 application/json', '')
