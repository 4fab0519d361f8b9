import type { RobotReply, RobotClient } from '../../../robots/people/client.ts'
import { isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const toE164 = (mobile: string): string => `+86${mobile}`
let numbers = 0
const aNumber = (): string => `137${String(((process.pid % 900) + 100) * 100_000 + numbers++).padStart(8, '0')}`

/** Verifies the code of the old number and opens a rebind flow, which belongs to the requesting session. */
async function openRebindFlow({ robot }: Intruder, client: RobotClient): Promise<string> {
  const verifyCode = await client.code(robot.memory.contact, 'bind', (captchaVerifyParam) =>
    client.post('/user/updateUserMobile/verifyCode', { by: 'mobile', captchaVerifyParam }),
  )
  return (await client.get('/user/updateUserMobile/verify', { verifyCode })).data?.verifyFlow ?? ''
}

async function requestNewCode(client: RobotClient, mobile: string): Promise<string> {
  return client.code(toE164(mobile), 'bind', (captchaVerifyParam) =>
    client.post('/user/updateUserMobile/newMobileVerifyCode/{mobile}', { mobile, captchaVerifyParam }),
  )
}
const bind = (
  client: RobotClient,
  newMobile: string,
  { verifyCode, verifyFlow }: { readonly verifyCode: string; readonly verifyFlow: string },
): Promise<RobotReply> => client.post('/user/updateUserMobile/verifyLastStep', { newMobile, verifyCode, verifyFlow })

async function run({ intruder, must, needs, platform }: StrategyTools): Promise<void> {
  const [owner, rival] = await Promise.all([intruder(0), intruder(0)])
  const old = owner.robot.person.mobile!
  const thief = await owner.again()
  const flow = await openRebindFlow(owner, owner.client)
  needs('a flow', flow !== '')
  const [one, two, contested] = [aNumber(), aNumber(), aNumber()]
  const [codeOne, codeTwo, codeBoth] = [
    await requestNewCode(owner.client, one),
    await requestNewCode(owner.client, two),
    await requestNewCode(owner.client, contested),
  ]

  must('the flow of one session in another', isRefusedReply(await bind(thief, one, { verifyCode: codeOne, verifyFlow: flow })))
  must(
    'a flow of another account',
    isRefusedReply(await bind(rival.client, one, { verifyCode: await requestNewCode(rival.client, aNumber()), verifyFlow: flow })),
  )
  must('the code of one number for another', isRefusedReply(await bind(owner.client, two, { verifyCode: codeOne, verifyFlow: flow })))

  // requested for the old number while it still belongs to the account
  const oldCode = await thief
    .code(toE164(old), 'login', (captchaVerifyParam) => thief.post('/user/login/verifyCode/{x}', { x: old, captchaVerifyParam }))
    .catch(() => '')

  const race = await runTogether(6, (n) =>
    n % 2 ? bind(owner.client, two, { verifyCode: codeTwo, verifyFlow: flow }) : bind(owner.client, contested, { verifyCode: codeBoth, verifyFlow: flow }),
  )
  needs('an honest change', race.accepted.length > 0, race.refused[0]?.msg)
  must('one flow binds one number, six presses at once', race.accepted.length === 1, race.accepted.length)
  must('the flow once more', isRefusedReply(await bind(owner.client, one, { verifyCode: codeOne, verifyFlow: flow })))

  if (oldCode) {
    const entered = await thief.post('/user/login', { mobile: old, verifyCode: oldCode })
    const session = entered.data?.token as string | undefined
    const who = session ? await fetchUserId(thief, session) : ''
    must('a code of the old number signs in to the account', who !== owner.userId, who)
  }
  const rivalFlow = await openRebindFlow(rival, rival.client)
  const bound = await selectBoundMobile(platform, owner.userId)
  const taken = await requestNewCode(rival.client, bound).catch(() => '000000')
  const rebinds = await runTogether(4, () => bind(rival.client, bound, { verifyCode: taken, verifyFlow: rivalFlow }))
  must('the number of another account is bound a second time', rebinds.accepted.length === 0, rebinds.accepted.length)
}

async function fetchUserId(client: RobotClient, token: string): Promise<string> {
  const before = client.token
  client.token = token
  const { data } = await client.get('/user/info')
  client.token = before
  return data?.id ?? ''
}

async function selectBoundMobile({ product }: StrategyTools['platform'], userId: string): Promise<string> {
  const [row] = await product.db.query<{ mobile: string }>(`select display as mobile from account_identities where kind = 'mobile' and user_id = $1`, [userId])
  return row?.mobile ?? ''
}

export const PHONE_STRATEGIES: readonly PlatformStrategy[] = [
  {
    name: 'phone-rebind',
    tries: 'flows of other sessions and accounts, one flow for several numbers at once, codes of the old number, numbers of others',
    run,
  },
]
