import { createDecipheriv } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestClock } from '#platform/testing/http.ts'
import { ALIYUN_SCENE, startAliyun } from '#stand-ins/aliyun/index.ts'
import { ALIYUN_KEY_ID, ALIYUN_KEY_SECRET } from '#stand-ins/aliyun/wire.ts'
import { solveCaptchaParam } from '../builders.ts'
import { riskConfig } from '../config.ts'
import { createCaptchaStore } from '../data.ts'
import { captchaVendors } from './index.ts'
import type { CaptchaChallenge, CaptchaRules, RiskScene, OpenCaptcha, RiskConfig } from './port.ts'

// Contract tests for all captchas: add a line to `solvers` for a new one.
const db = await useTestDb({ max: 20 })
const store = createCaptchaStore(db)
const clock = createTestClock()
const key = Buffer.alloc(32, 7)
const rules: CaptchaRules = { liveSeconds: 600, effort: 12, tolerance: 5, tries: 3 }
const company = await startAliyun({ now: () => clock.now() })
afterAll(() => company.company.close())

const config = readConfig(
  { ...platformConfig, ...riskConfig },
  {
    ALIYUN_CAPTCHA_SCENE_ID: ALIYUN_SCENE,
    ALIYUN_CAPTCHA_PREFIX: 'prefix1',
    ALIYUN_CAPTCHA_ACCESS_KEY_ID: ALIYUN_KEY_ID,
    ALIYUN_CAPTCHA_ACCESS_KEY_SECRET: ALIYUN_KEY_SECRET,
    ALIYUN_CAPTCHA_ENDPOINT: company.company.url,
  },
) as RiskConfig

/** Position of the hole, decrypted from the database, which clients cannot do. */
async function holeOf(id: string): Promise<number> {
  const [row] = await db.query<{ answer: Buffer }>('select answer from risk_puzzles where id = $1', [id])
  const sealed = row!.answer
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(id))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Number(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString())
}
const handTo = (x: number): [number, number][] => [0, 0.1, 0.35, 0.7, 0.95, 1].map((share, n) => [n * 90 + (n % 2) * 11, x * share])

let params = 0
const solvers: Readonly<Record<string, (captcha: OpenCaptcha, challenge: CaptchaChallenge) => Promise<string>>> = {
  altcha: async (_captcha, challenge) => {
    if (challenge.kind !== 'altcha') throw new Error(challenge.kind)
    return (await solveCaptchaParam(challenge.challenge)).slice('altcha.'.length)
  },
  slide: async (captcha, challenge) => {
    if (challenge.kind !== 'slide') throw new Error(challenge.kind)
    const x = await holeOf(challenge.id)
    return (await captcha.put!(challenge.id, x, handTo(x))).proof!
  },
  aliyun: async () => `good-${++params}`,
}

beforeEach(() => {
  company.company.behave()
  company.captchaRefusal = undefined
})

test('ids are unique, and one without credentials is not offered', () => {
  expect(new Set(captchaVendors.map((vendor) => vendor.id)).size).toBe(captchaVendors.length)
  const bare = readConfig({ ...platformConfig, ...riskConfig }, {}) as RiskConfig
  expect(captchaVendors.filter((vendor) => vendor.offered(bare)).map((vendor) => vendor.id)).toEqual(['altcha', 'slide'])
})

describe.each(captchaVendors)('$id', (vendor) => {
  const open = (over: Partial<CaptchaRules> = {}) => vendor.open({ config, clock, keys: [key], store, rules: { ...rules, ...over } })
  const solve = async (scene: RiskScene) => {
    const captcha = open()
    return solvers[vendor.id]!(captcha, await captcha.challenge(scene, 'own'))
  }

  test('a solved challenge is good, once', async () => {
    const proof = await solve('login')
    expect(await open().verify('login', proof, 'own')).toBe('good')
    expect(await open().verify('login', proof, 'own')).not.toBe('good')
  })

  test('of 50 parallel uses of one proof exactly one is good (A5)', async () => {
    const proof = await solve('register')
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => open().verify('register', proof, 'own')))
    expect(verdicts.filter((verdict) => verdict === 'good')).toHaveLength(1)
  })

  test.each(['', 'x', 'e30', '%%%', '{"challenge":{}}', 'a'.repeat(11_000), '../../etc/passwd', "' or 1=1 --"])('%s is no proof', async (proof) => {
    expect(['wrong', 'used']).toContain(await open().verify('login', proof, 'own'))
  })

  test.runIf(vendor.id !== 'aliyun')('a proof for one scene serves no other', async () => {
    const proof = await solve('login')
    expect(await open().verify('reset', proof, 'own')).toBe('wrong')
  })

  test.runIf(vendor.id !== 'aliyun')('a proof dies with its time', async () => {
    const proof = await solve('login')
    clock.advance(601_000)
    expect(['expired', 'wrong']).toContain(await open().verify('login', proof, 'own'))
  })
})

describe('altcha', () => {
  const altcha = captchaVendors.find((vendor) => vendor.id === 'altcha')!.open({ config, clock, keys: [key], store, rules })
  const made = async (role: 'own' | 'way' = 'own') => {
    const challenge = await altcha.challenge('login', role)
    const proof = (await solveCaptchaParam((challenge as { challenge: unknown }).challenge)).slice('altcha.'.length)
    return JSON.parse(Buffer.from(proof, 'base64url').toString()) as {
      challenge: { parameters: Record<string, any>; signature: string }
      solution: { counter: number }
    }
  }
  const packed = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64url')

  test('an expiry spliced in is refused (CVE-2025-68113), in the parameters, in the salt and beside them', async () => {
    const later = Math.floor(clock.now().getTime() / 1000) + 86_400
    const splices: ((payload: Awaited<ReturnType<typeof made>>) => void)[] = [
      ({ challenge }) => (challenge.parameters['expiresAt'] = later),
      ({ challenge }) => (challenge.parameters['salt'] += `?expires=${later}`),
      ({ challenge }) => (challenge.parameters['salt'] += Buffer.from(`&expires=${later}&`).toString('hex')),
      ({ challenge }) => (challenge.parameters['nonce'] += '00'),
      ({ challenge }) => (challenge.parameters['data'] = { scene: 'login', role: 'own', expires: String(later) }),
      ({ challenge }) => (challenge.parameters['expires'] = later),
      ({ challenge }) => delete challenge.parameters['expiresAt'],
    ]
    for (const splice of splices) {
      const payload = await made()
      splice(payload)
      expect(await altcha.verify('login', packed(payload), 'own')).not.toBe('good')
    }
  })

  test('a solution that is cheaper, of another scene, or signed with another key is refused', async () => {
    const tricks: ((payload: Awaited<ReturnType<typeof made>>) => void)[] = [
      ({ challenge }) => (challenge.parameters['cost'] = 1),
      ({ challenge }) => (challenge.parameters['keyPrefix'] = '00'),
      ({ challenge }) => (challenge.parameters['data'].scene = 'login '),
      ({ challenge }) => (challenge.signature = 'f'.repeat(64)),
      ({ challenge }) => (challenge.parameters['algorithm'] = 'SHA-256'),
      ({ solution }) => Object.assign(solution, { derivedKey: '00'.repeat(32) }),
    ]
    for (const trick of tricks) {
      const payload = await made()
      trick(payload)
      expect(await altcha.verify('login', packed(payload), 'own')).toBe('wrong')
    }
  })

  test('fields added outside the signature do not make a second proof of one', async () => {
    const payload = await made()
    expect(await altcha.verify('login', packed({ ...payload, extra: 1 }), 'own')).toBe('good')
    expect(await altcha.verify('login', packed({ ...payload, solution: { ...payload.solution, time: 5 } }), 'own')).toBe('used')
  })

  test('the alternative to another captcha is the expensive challenge, not the cheap one', async () => {
    expect(await altcha.verify('login', packed(await made('own')), 'way')).toBe('wrong')
    expect(await altcha.verify('login', packed(await made('way')), 'way')).toBe('good')
  })
})

describe('slide', () => {
  const slide = captchaVendors.find((vendor) => vendor.id === 'slide')!.open({ config, clock, keys: [key], store, rules })
  const made = async () => {
    const challenge = await slide.challenge('login', 'own')
    if (challenge.kind !== 'slide') throw new Error(challenge.kind)
    return { ...challenge, hole: await holeOf(challenge.id) }
  }

  test('the answer is neither in the challenge nor readable in the table', async () => {
    // a measure of the picture may equal the hole by chance, and a hash hold its digits: in three puzzles they do not
    const three = [await made(), await made(), await made()]
    expect(three.map(({ hole, ...shown }) => Object.values(shown).includes(hole))).toContain(false)
    const kept = await Promise.all(
      three.map(async (one) => {
        const [row] = await db.query<{ answer: Buffer }>('select answer from risk_puzzles where id = $1', [one.id])
        return row!.answer.includes(Buffer.from(String(one.hole)))
      }),
    )
    expect(kept).toContain(false)
    const [challenge] = three as [(typeof three)[number]]
    expect(challenge.picture).toMatch(/^data:image\/png;base64,/)
    expect((await made()).picture).not.toBe(challenge.picture)
  })

  test('a piece fits within the tolerance and not beyond it', async () => {
    for (const [off, fits] of [
      [5, true],
      [-5, true],
      [6, false],
      [-6, false],
    ] as const) {
      const { id, hole } = await made()
      const { proof } = await slide.put!(id, hole + off, handTo(hole + off))
      expect(proof !== undefined).toBe(fits)
    }
  })

  test('a puzzle allows three tries, in parallel too; the right place after them is refused', async () => {
    const { id, hole } = await made()
    const wrong = await Promise.all(Array.from({ length: 20 }, () => slide.put!(id, hole + 40, handTo(hole + 40))))
    expect(
      wrong
        .map(({ triesLeft }) => triesLeft)
        .sort((a, b) => b - a)
        .slice(0, 3),
    ).toEqual([2, 1, 0])
    expect(await slide.put!(id, hole, handTo(hole))).toEqual({ proof: undefined, triesLeft: 0 })
  })

  test('a piece that a program moved is not taken', async () => {
    const programs: ((x: number) => [number, number][])[] = [
      (x) => [[0, x]],
      (x) => [
        [0, 0],
        [5, x / 2],
        [9, x],
        [12, x],
      ],
      (x) => Array.from({ length: 11 }, (_, n) => [n * 50, (x / 10) * n]),
      (x) => handTo(x).map(([, at], n) => [900 - n * 90, at]),
      (x) => handTo(x - 30),
    ]
    for (const program of programs) {
      const { id, hole } = await made()
      expect((await slide.put!(id, hole, program(hole))).proof).toBeUndefined()
    }
  })
})

describe('aliyun', () => {
  const aliyun = captchaVendors.find((vendor) => vendor.id === 'aliyun')!

  test('an outage and a refused account fail as retryable and let no caller through', async () => {
    const captcha = aliyun.open({ config, clock, keys: [key], store, rules })
    const verify = () => captcha.verify('login', `good-${++params}`, 'own')
    company.company.misbehave('reset-before')
    await expect(verify()).rejects.toMatchObject({ kind: 'retryable', ours: false })
    for (const [code, ours] of [
      ['Forbidden.RAM', true],
      ['InvalidTimeStamp.Expired', true],
      ['Throttling.User', false],
      ['ServiceUnavailable', false],
    ] as const) {
      company.captchaRefusal = code
      await expect(verify(), code).rejects.toMatchObject({ kind: 'retryable', ours })
    }
  })

  test('a scene of another account, and a parameter that was judged before, are wrong', async () => {
    const open = (over: Partial<RiskConfig> = {}) => aliyun.open({ config: { ...config, ...over }, clock, keys: [key], store, rules })
    expect(await open({ ALIYUN_CAPTCHA_SCENE_ID: 'scene-2' }).verify('login', `good-${++params}`, 'own')).toBe('wrong')
    const again = aliyun.open({ config, clock, keys: [key], store: { ...store, spend: async () => true }, rules })
    expect([await again.verify('login', 'good-twice', 'own'), await again.verify('login', 'good-twice', 'own')]).toEqual(['good', 'wrong'])
  })

  test('another secret is not accepted by the vendor', async () => {
    const captcha = aliyun.open({ config: { ...config, ALIYUN_CAPTCHA_ACCESS_KEY_SECRET: 'other' }, clock, keys: [key], store, rules })
    await expect(captcha.verify('login', `good-${++params}`, 'own')).rejects.toMatchObject({ kind: 'retryable', ours: true })
  })
})
