import { expectEqual } from './act.ts'
import type { RobotAct, Robot } from './act.ts'
import type { SeededRandom } from '../people/random.ts'

const STEP_UP_REQUIRED = 1020
const toE164 = (mobile: string): string => `+${mobile.startsWith('85') ? mobile : `86${mobile}`}`

/** The first act of every person: creates an account with a code, by mobile or e-mail, perhaps with another person's invitation. */
export async function signUpRobot(robot: Robot, random: SeededRandom): Promise<string> {
  const { client, person, memory, codes } = robot
  const { mobile, email, password } = person
  const inviteCode = codes.length && random.percent(30) ? random.pick(codes) : undefined
  const wish = { ...(inviteCode ? { inviteCode } : {}) }
  memory.contact = mobile ? toE164(mobile) : email
  const verifyCode = await client.code(memory.contact, 'register', (captchaVerifyParam) =>
    mobile
      ? client.post('/user/register/verifyCode/{x}', { x: mobile, captchaVerifyParam })
      : client.post('/user/email/verifyCode', { email, verifyCodeType: 'register', captchaVerifyParam }),
  )
  const { code, msg, data } = await client.post('/user/register', mobile ? { mobile, password, verifyCode, ...wish } : { email, password, verifyCode, ...wish })
  if (code !== 200) throw new Error(`sign-up fails: ${msg}`)
  client.token = data.token
  const { data: info } = await client.get('/user/info')
  memory.userId = info.id
  await client.post('/user/updateUserInfo', { language: person.lang })
  if (mobile) await bindRobotEmail(robot)
  return `${mobile ? `mobile ${mobile}` : email}${inviteCode ? `, invited by ${inviteCode}` : ''}`
}

async function bindRobotEmail({ client, person: { email } }: Robot): Promise<void> {
  const verifyCode = await client.code(email, 'bind', (captchaVerifyParam) =>
    client.post('/user/email/verifyCode', { email, verifyCodeType: 'updateEmail', captchaVerifyParam }),
  )
  await client.post('/user/updateEmail', { email, verifyCode })
}

/** Sets the payment password if there is none. */
export async function ensurePin({ client, person, memory }: Robot): Promise<void> {
  if (memory.hasPin) return
  const verifyCode = await client.code(memory.contact, 'security', (captchaVerifyParam) =>
    client.post('/user/verify/verifyCode/{type}', { type: 'payPassword', captchaVerifyParam }),
  )
  const { code } = await client.post('/account/setPayPassword', { password: person.pin, verifyCode })
  memory.hasPin = code === 200
}

/** Re-authenticates; the session continues with a new token. */
export async function stepUpRobot({ client, person }: Robot): Promise<void> {
  const { code, data } = await client.post('/user/secondaryVerify', { password: person.password })
  if (code === 200) client.token = data.token
}

/** Makes a call that may require a step-up: re-authenticates and retries. */
export async function callWithStepUp(robot: Robot, path: string, input: Readonly<Record<string, unknown>>): ReturnType<Robot['client']['post']> {
  const first = await robot.client.post(path, input)
  if (first.code !== STEP_UP_REQUIRED) return first
  await stepUpRobot(robot)
  return robot.client.post(path, input)
}

async function tryWrongPassword({ client, person }: Robot): Promise<string> {
  const contact = person.mobile ? { mobile: person.mobile } : { email: person.email }
  const said = await client.asHuman('login', (captchaVerifyParam) =>
    client.post('/user/passwordLogin', { ...contact, password: 'not my password 1', captchaVerifyParam }),
  )
  return said.msg
}

export async function signInRobotAgain(robot: Robot): Promise<string> {
  const { client, person } = robot
  const contact = person.mobile ? { mobile: person.mobile } : { email: person.email }
  const { code, msg, data } = await client.asHuman('login', (captchaVerifyParam) =>
    client.post('/user/passwordLogin', { ...contact, password: person.password, captchaVerifyParam }),
  )
  if (code === 200) client.token = data.token
  return code === 200 ? 'in' : msg
}

async function tryWrongPin(robot: Robot): Promise<string> {
  await ensurePin(robot)
  const { data, msg } = await robot.client.post('/account/verifyPayPassword', { password: '135790' })
  const right = await robot.client.post('/account/verifyPayPassword', { password: robot.person.pin })
  expectEqual(robot, 'a right payment password', { subject: 'after a wrong one', seen: right.data?.resultType, expected: 0 })
  return data ? `result ${data.resultType}` : msg
}

const ODD_NAMES = ['', ' ', '王'.repeat(50), '<script>alert(1)</script>', "Robert'); drop table users;--", '👩‍👩‍👧‍👦', '‮gnihton']
const changeName = async ({ client }: Robot, random: SeededRandom): Promise<string> => {
  const name = random.pick(ODD_NAMES)
  return `${JSON.stringify(name)}: ${(await client.post('/user/updateUserInfo', { name })).msg}`
}

export const accountActs: readonly RobotAct[] = [
  { name: 'wrong password', weight: 1, run: tryWrongPassword },
  { name: 'sign in again', weight: 2, run: signInRobotAgain },
  { name: 'wrong payment password', weight: 1, run: tryWrongPin },
  { name: 'rename', weight: 1, run: changeName },
]
