import { createRobotClient } from '../../../robots/people/client.ts'
import type { RobotClient } from '../../../robots/people/client.ts'
import { isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const guess = (n: number): string => String(100_000 + n * 7).slice(-6)
/** Maximum number of codes that are compared for one IP address. */
const MAX_CODES_PER_ADDRESS = 120
/** A guess that never equals the right code by chance. */
const buildWrongGuess = (n: number, right: string): string => (guess(n) === right ? guess(n + 1_000) : guess(n))

/** A client without an account, at a separate IP address. */
function createStranger({ robot }: Intruder, ip: string): RobotClient {
  return createRobotClient({ ...robot.person, ip }, { siteUrl: robot.product.siteUrl, report: robot.report, note: () => undefined })
}

/** Guesses codes of many accounts from one address: limited per code and per address. */
async function tryManyCodes(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const victims = await Promise.all(Array.from({ length: 3 }, () => tools.intruder(0)))
  const thief = createStranger(victims[0]!, '45.77.12.9')
  let compared = 0
  for (const victim of victims) {
    const mobile = victim.robot.person.mobile!
    const right = await requestCode(victim, thief)
    const tries = await runTogether(60, (n) => thief.post('/user/login', { mobile, verifyCode: buildWrongGuess(n, right) }))
    must('a wrong code signs in', tries.accepted.length === 0)
    compared += tries.refused.filter(({ code }) => code !== TOO_MANY).length
  }
  const next = await runTogether(30, (n) => thief.post('/user/login', { mobile: victims[0]!.robot.person.mobile!, verifyCode: guess(n + 2_000) }))
  must('one address guesses without limit', next.refused.some(({ code }) => code === TOO_MANY) || compared <= MAX_CODES_PER_ADDRESS, compared)
}

/** Guesses one code from forty addresses: the code expires after a few wrong guesses, so the right one comes too late. */
async function tryOneCodeFromMany({ intruder, must }: StrategyTools): Promise<void> {
  const victim = await intruder(0)
  const mobile = victim.robot.person.mobile!
  const right = await requestCode(victim, createStranger(victim, '45.78.1.1'))
  await runTogether(40, (n) => createStranger(victim, `45.78.2.${n + 1}`).post('/user/login', { mobile, verifyCode: buildWrongGuess(n, right) }))
  const late = await createStranger(victim, '45.78.3.1').post('/user/login', { mobile, verifyCode: right })
  must('a code survives forty wrong guesses from forty addresses', isRefusedReply(late), late.msg)
}

/** Requests a sign-in code for an account, and reads it as its owner would. */
async function requestCode({ client, robot }: Intruder, asker: RobotClient): Promise<string> {
  const mobile = robot.person.mobile!
  return client.code(robot.memory.contact, 'login', (captchaVerifyParam) => asker.post('/user/login/verifyCode/{x}', { x: mobile, captchaVerifyParam }))
}
const TOO_MANY = 429

/** Guesses the payment password with many parallel requests; parallel requests with the right one must not lock it. */
async function tryPayPasswords(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const [owner, other] = await Promise.all([tools.intruder(10), tools.intruder(10)])
  const password = await owner.pin()
  const right = await other.pin()
  const wrong = await runTogether(40, (n) => owner.client.post('/account/verifyPayPassword', { password: buildWrongGuess(n, password) }))
  must(
    'a wrong payment password is taken',
    wrong.accepted.every(({ data }) => data.resultType !== 0),
  )
  must('payment passwords are guessed without limit', wrong.accepted.filter(({ data }) => data.resultType === 1).length <= 10, wrong.accepted.length)
  // if the right password still works, all forty guesses were compared
  const late = await owner.client.post('/account/verifyPayPassword', { password })
  must('the right one is taken after forty wrong ones', isRefusedReply(late) || late.data.resultType !== 0, late.data)
  must(
    'the right one pays after forty wrong ones',
    isRefusedReply(await owner.client.post('/v1/pay/balancePay', { orderType: 10, amount: '5', payPassword: password })),
  )
  const honest = await runTogether(8, () => other.client.post('/account/verifyPayPassword', { password: right }))
  const shut = [...honest.accepted.filter(({ data }) => data.resultType !== 0), ...honest.refused]
  must('eight right ones at once lock their owner out', shut.length === 0, shut.length)
}

/** Starts trials from many accounts in one network without a payment, and repeatedly from one account. */
async function tryTrials(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const accounts: Intruder[] = []
  for (let n = 0; n < 6; n++) accounts.push(await tools.intruder(0, `45.76.19.${n + 10}`))
  const begun = await Promise.all(
    accounts.flatMap(({ client }) => [1, 4].map((packageId) => client.post('/v1/tool/openaiPlus/applySharePlus', { packageId, inviteCode: '' }))),
  )
  must('accounts that never paid get a free trial', begun.every(isRefusedReply), begun.filter(({ code }) => code === 200).length)
  const browsers = await Promise.all(accounts.map(({ client }) => client.post('/v1/tool/proxy/browser/activateTrial')))
  must('they get the trial of the browser', browsers.every(isRefusedReply), browsers.filter(({ code }) => code === 200).length)
  const paying = await tools.intruder(10)
  const twice = await runTogether(6, () => paying.client.post('/v1/tool/openaiPlus/applySharePlus', { packageId: 1, inviteCode: '' }))
  must('one account gets a trial more than once', twice.accepted.length <= 1, twice.accepted.length)
}

export const GUESS_STRATEGIES: readonly PlatformStrategy[] = [
  {
    name: 'code-guesses',
    tries: 'codes of several accounts guessed from one address, one code from many addresses',
    run: (tools) => Promise.all([tryManyCodes(tools), tryOneCodeFromMany(tools)]).then(() => undefined),
  },
  { name: 'pay-password', tries: 'payment passwords guessed at once, and an owner locked out by parallel requests', run: tryPayPasswords },
  { name: 'trials-many', tries: 'free trials of many accounts that never paid, of one network', run: tryTrials },
]
