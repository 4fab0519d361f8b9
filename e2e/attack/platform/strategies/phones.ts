import type { Answer, Client } from '../../../robots/people/client.ts'
import { isRefused, together } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, Tools } from '../strategy.ts'

const e164 = (mobile: string): string => `+86${mobile}`
let numbers = 0
const aNumber = (): string => `137${String(((process.pid % 900) + 100) * 100_000 + numbers++).padStart(8, '0')}`

/** The code of the old number, for a flow that belongs to the session that asks. */
async function aFlow({ robot }: Intruder, client: Client): Promise<string> {
  const verifyCode = await client.code(robot.memory.contact, 'bind', (captchaVerifyParam) =>
    client.post('/user/updateUserMobile/verifyCode', { by: 'mobile', captchaVerifyParam }),
  )
  return (await client.get('/user/updateUserMobile/verify', { verifyCode })).data?.verifyFlow ?? ''
}

async function newCode(client: Client, mobile: string): Promise<string> {
  return client.code(e164(mobile), 'bind', (captchaVerifyParam) =>
    client.post('/user/updateUserMobile/newMobileVerifyCode/{mobile}', { mobile, captchaVerifyParam }),
  )
}
const bind = (client: Client, newMobile: string, verifyCode: string, verifyFlow: string): Promise<Answer> =>
  client.post('/user/updateUserMobile/verifyLastStep', { newMobile, verifyCode, verifyFlow })

async function run({ intruder, must, needs, platform }: Tools): Promise<void> {
  const [owner, rival] = await Promise.all([intruder(0), intruder(0)])
  const old = owner.robot.person.mobile!
  const thief = await owner.again()
  const flow = await aFlow(owner, owner.client)
  needs('a flow', flow !== '')
  const [one, two, contested] = [aNumber(), aNumber(), aNumber()]
  const [codeOne, codeTwo, codeBoth] = [await newCode(owner.client, one), await newCode(owner.client, two), await newCode(owner.client, contested)]

  must('the flow of one session in another', isRefused(await bind(thief, one, codeOne, flow)))
  must('a flow of another account', isRefused(await bind(rival.client, one, await newCode(rival.client, aNumber()), flow)))
  must('the code of one number for another', isRefused(await bind(owner.client, two, codeOne, flow)))

  // asked for at the old number while it is still the account's
  const oldCode = await thief
    .code(e164(old), 'login', (captchaVerifyParam) => thief.post('/user/login/verifyCode/{x}', { x: old, captchaVerifyParam }))
    .catch(() => '')

  const race = await together(6, (n) => (n % 2 ? bind(owner.client, two, codeTwo, flow) : bind(owner.client, contested, codeBoth, flow)))
  needs('an honest change', race.accepted.length > 0, race.refused[0]?.msg)
  must('one flow binds one number, six presses at once', race.accepted.length === 1, race.accepted.length)
  must('the flow once more', isRefused(await bind(owner.client, one, codeOne, flow)))

  if (oldCode) {
    const entered = await thief.post('/user/login', { mobile: old, verifyCode: oldCode })
    const session = entered.data?.token as string | undefined
    const who = session ? await asWhom(thief, session) : ''
    must('a code of the old number signs in to the account', who !== owner.userId, who)
  }
  const rivalFlow = await aFlow(rival, rival.client)
  const bound = await boundOf(platform, owner.userId)
  const taken = await newCode(rival.client, bound).catch(() => '000000')
  const rebinds = await together(4, () => bind(rival.client, bound, taken, rivalFlow))
  must('the number of another account is bound a second time', rebinds.accepted.length === 0, rebinds.accepted.length)
}

async function asWhom(client: Client, token: string): Promise<string> {
  const before = client.token
  client.token = token
  const { data } = await client.get('/user/info')
  client.token = before
  return data?.id ?? ''
}

async function boundOf({ product }: Tools['platform'], userId: string): Promise<string> {
  const [row] = await product.db.query<{ mobile: string }>(`select display as mobile from account_identities where kind = 'mobile' and user_id = $1`, [userId])
  return row?.mobile ?? ''
}

export const PHONES: readonly PlatformStrategy[] = [
  {
    name: 'phone-rebind',
    tries: 'flows of other sessions and accounts, one flow for several numbers at once, codes of the old number, numbers of others',
    run,
  },
]
