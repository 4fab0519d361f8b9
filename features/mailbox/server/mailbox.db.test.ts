import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signInBuiltUser } from '#features/account/server/builders.ts'
import { createId } from '#platform/shared/ids.ts'
import { workTask } from '#features/services/server/door.ts'
import { verifyLedger } from '#features/wallet/server/door.ts'
import type { Mailbox } from '../contract.ts'
import { aMail } from './builders.ts'
import { upsertReceiver } from './data.ts'
import { storeMail } from './inbox/store-mail.ts'
import { PASSWORD, PIN, startMailboxStage } from './testing/mailbox-stage.ts'

const stage = await startMailboxStage()
const { db, clock, call, deps, settle, inject, aMember, aName, anOpenBox, post, get, apply, posted, send, refusal, list, pass } = stage

describe('a mailbox', () => {
  test('is made, takes a password, receives over SMTP, is read, and wiped at its end', async () => {
    const { data } = await apply('wanghome1')
    expect(data).toMatchObject({ pay: null, box: { address: 'wanghome1@box.example', state: 'generating', auxiliaryEmail: expect.stringContaining('***@') } })
    await workTask(deps, data.box.id)
    expect(await get(data.box.id)).toMatchObject({ state: 'fresh', isOpen: false, deadlineTime: expect.any(String) })
    const { id } = data.box
    // Mail is accepted at once: a code may come before the password
    await send('WangHome1@box.example')
    expect((await list(id)).code).toBe(3734)
    expect((await post('/password', { id, password: PASSWORD, confirm: 'another one 8' })).status).toBe(400)
    for (const weak of ['12345678', 'xxwanghome1xx']) expect((await post('/password', { id, password: weak, confirm: weak })).code).toBe(3739)
    expect((await post('/password', { id, password: PASSWORD, confirm: PASSWORD })).data).toMatchObject({ state: 'success', isOpen: true, unread: 1 })
    const page = '<b>739204</b><img src="https://track.example/p.gif">'
    await send('wanghome1@box.example', { subject: '第二封', html: page, attachments: [{ filename: '发票.pdf', content: 'PDF bytes' }] })
    const rows = (await list(id)).data.rowList
    expect(rows.map(({ subject, code, sender, files, isRead }: Record<string, unknown>) => [subject, code, sender, files, isRead])).toEqual([
      ['第二封', '739204', 'noreply@sender.example', 1, false],
      ['Your code', '739204', 'noreply@sender.example', 0, false],
    ])
    const mail = (await post('/message/read', { id: rows[0].id })).data
    expect(mail).toMatchObject({ blocked: 1, files: [{ name: '发票.pdf', size: 9 }], row: { isRead: true, auth: { dkim: 'none' } } })
    const shown = await inject({ method: 'GET', url: mail.page })
    expect(shown.body).toContain('<b>739204</b>')
    expect(shown.body).not.toContain('track.example')
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'")
    const file = await inject({ method: 'GET', url: mail.files[0].url })
    expect([file.body, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      'PDF bytes',
      'application/octet-stream',
      expect.stringContaining('attachment'),
    ])
    expect((await get(id)).unread).toBe(1)
    await pass(id, 'expires_at')
    await workTask(deps, id)
    await settle()
    expect(await get(id)).toMatchObject({ state: 'ended', cause: 'time_up' })
    expect((await db.query(`select 1 from mailbox_messages where task_id = $1`, [id])).length).toBe(0)
    expect(await refusal(send('wanghome1@box.example'))).toMatch(/^550/)
    // The name stays taken: later mail reaches no other user
    expect((await apply('wanghome1', await aMember())).code).toBe(3731)
  })

  test('is free once with a card; another is held, charged when its password is set, and released when that is late', async () => {
    const first = await anOpenBox()
    expect([first.state, await posted()]).toEqual(['success', '10'])
    const { data } = await apply()
    expect(data.pay).toMatchObject({ orderType: 11, amount: '0.49' })
    expect(
      (
        await call(
          'POST',
          '/v1/pay/balancePay',
          { orderType: 11, service: data.pay.service, payPassword: PIN },
          { token: stage.user.token, idempotencyKey: createId('key') },
        )
      ).code,
    ).toBe(200)
    await workTask(deps, data.box.id)
    await pass(data.box.id, 'deadline_at')
    await workTask(deps, data.box.id)
    await settle()
    expect(await get(data.box.id)).toMatchObject({ state: 'failed', cause: 'no_password' })
    expect(await posted()).toBe('10')
    const again = await post('/reapply', { id: data.box.id })
    expect(again.data.box.address).toBe(data.box.address)
    await call(
      'POST',
      '/v1/pay/balancePay',
      { orderType: 11, service: again.data.pay.service, payPassword: PIN },
      { token: stage.user.token, idempotencyKey: createId('key') },
    )
    await workTask(deps, again.data.box.id)
    await post('/password', { id: again.data.box.id, password: PASSWORD, confirm: PASSWORD })
    expect(await posted()).toBe('9.51')
    expect((await apply(aName(), await aMember(false))).data.pay).not.toBeNull()
    expect((await verifyLedger(db)).problems).toEqual([])
  })

  test('fails without a receiver, costs nothing, and is made free when retried', async () => {
    await db.query(`update mailbox_receivers set seen_at = clock_timestamp() - interval '1 hour'`)
    const { data } = await apply()
    await workTask(deps, data.box.id)
    expect((await get(data.box.id)).state).toBe('generating')
    await pass(data.box.id, 'deadline_at')
    await workTask(deps, data.box.id)
    expect(await get(data.box.id)).toMatchObject({ state: 'failed', cause: 'no_server' })
    await upsertReceiver(db, 'again', stage.port)
    const again = await post('/reapply', { id: data.box.id })
    expect(again.data.pay).toBeNull()
    await workTask(deps, again.data.box.id)
    expect((await get(again.data.box.id)).state).toBe('fresh')
  })

  test('name has 5 to 12 letters and digits, is free and not reserved, and a race has one winner', async () => {
    for (const bad of ['abcd', 'abcdefghijklm', 'with-dash', '空格空格空', 'a b c d', '']) expect((await apply(bad)).status).toBe(400)
    expect((await apply('support1')).code).toBe(3732)
    const rivals = await Promise.all([aMember(), aMember(), aMember()])
    const replies = await Promise.all(rivals.map((one) => apply('contested', one)))
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 3731, 3731])
    expect((await apply('Contested')).code).toBe(3731)
    expect((await post('/apply', { username: 'elsewhere', suffix: 'gmail.com' })).code).toBe(3738)
  })

  test('is refused once a member has as many live mailboxes as allowed, and accepted when one is closed', async () => {
    await db.owner.query(`insert into settings (key, value, updated_by) values ('mailbox.at_once', '2', 'test')`)
    const first = await anOpenBox()
    const unpaid = (await apply()).data.box
    // A draft makes room for the next one; a paid mailbox does not
    expect(await anOpenBox()).toMatchObject({ state: 'success' })
    expect(await get(unpaid.id)).not.toMatchObject({ state: 'success' })
    const name = aName()
    expect(await apply(name)).toMatchObject({ code: 3705, data: { most: 2 } })
    expect(await posted()).toBe('9.51')
    expect((await post('/close', { id: first.id })).code).toBe(200)
    expect((await apply(name)).code).toBe(200)
    await db.owner.query(`delete from settings where key = 'mailbox.at_once'`)
  })
})

describe('an unpaid mailbox', () => {
  test('takes no mail, holds a few names at most, and gives them back', async () => {
    const poor = await aMember(false)
    const wanted = Array.from({ length: 7 }, () => aName())
    const boxes: Mailbox[] = []
    for (const name of wanted) boxes.push((await apply(name, poor)).data.box)
    await settle()
    // The two oldest drafts were dropped for newer ones
    const answers = await Promise.all(boxes.map(({ address }) => refusal(send(address))))
    expect(answers.every((answer) => answer.startsWith('550 5.1.1'))).toBe(true)
    for (const { address } of boxes) await aMail(deps, address, {})
    expect(await db.query('select 1 from mailbox_messages where user_id = $1', [poor.userId])).toEqual([])
    const [stranger, other] = [await aMember(), await aMember()]
    expect([(await apply(wanted[1], stranger)).code, (await apply(wanted[2], other)).code]).toEqual([200, 3731])
    await call('POST', '/v1/service/giveUp', { id: boxes[2]!.id }, { token: poor.token, idempotencyKey: createId('key') })
    await settle()
    expect((await apply(wanted[2], other)).code).toBe(200)
  })

  test('is applied for again under the same name by its own applicant only', async () => {
    const poor = await aMember(false)
    const name = aName()
    const left = (await apply(name, poor)).data.box
    expect((await apply(name)).code).toBe(3731)
    const again = (await apply(name, poor)).data
    expect([again.box.address, again.pay.amount]).toEqual([left.address, '0.49'])
    const wish = (service: string) => ({ orderType: 11, service, payPassword: PIN })
    const pay = (service: string) => call('POST', '/v1/pay/balancePay', wish(service), { token: poor.token, idempotencyKey: createId('key') })
    expect([(await pay(left.id)).code, (await pay(again.pay.service)).code]).toEqual([3706, 200])
    await settle()
    // Once paid, the mailbox accepts mail
    await send(left.address)
    expect((await get(again.box.id, poor)).unread).toBe(1)
    expect((await apply(name, poor)).code).toBe(3731)
  })
})

describe('access to a mailbox', () => {
  test('another member reaches nothing by any id; file addresses work for one user, for five minutes', async () => {
    const box = await anOpenBox()
    await send(box.address, { attachments: [{ filename: 'a.txt', content: 'secret file' }], html: '<p>secret page</p>' })
    const [row] = (await list(box.id)).data.rowList
    const mail = (await post('/message/read', { id: row.id })).data
    const stranger = await aMember()
    const theirs = await anOpenBox(stranger)
    for (const [path, input] of [
      ['/message/list', { id: box.id }],
      ['/message/refresh', { id: box.id, waitSeconds: 0 }],
      ['/login', { id: box.id, password: PASSWORD }],
      ['/message/read', { id: row.id }],
      ['/message/delete', { id: row.id }],
      ['/close', { id: box.id }],
    ] as const) {
      expect([path, (await post(path, input, stranger)).code]).toEqual([path, 3733])
    }
    const url = new URL(mail.files[0].url, 'http://x')
    const ask = async (change: Record<string, string>) => {
      const query = new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...change })
      return (await inject({ method: 'GET', url: `${url.pathname}?${query}` })).statusCode
    }
    expect([await ask({}), await ask({ u: stranger.userId }), await ask({ until: '9999999999' }), await ask({ sign: 'AAAA' })]).toEqual([200, 404, 404, 404])
    expect((await inject({ method: 'GET', url: `${url.pathname.replace(/mfl_.*/, row.id)}?${url.searchParams}` })).statusCode).toBe(404)
    clock.advance(301_000)
    expect(await ask({})).toBe(404)
    clock.advance(-301_000)
    expect(theirs.id).not.toBe(box.id)
  })

  test('nothing of a mail is stored in the clear', async () => {
    const box = await anOpenBox()
    await send(box.address, { subject: 'PLAINMARK subject', text: 'PLAINMARK words', attachments: [{ filename: 'PLAINMARK.txt', content: 'PLAINMARK bytes' }] })
    const rows = await db.query<{ all: string }>(
      `select encode(sealed, 'escape') as all from mailbox_messages union all select encode(sealed || name, 'escape') from mailbox_files`,
    )
    expect(rows.map(({ all }) => all).join(' ')).not.toContain('PLAINMARK')
  })

  test('another session needs the password: five guesses, also concurrent; a new password closes the others', async () => {
    const box = await anOpenBox()
    const second = await signInBuiltUser(deps, stage.user)
    expect((await list(box.id, second)).code).toBe(3734)
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, at) => post('/login', { id: box.id, password: `guess ${at}` }, second)))
    expect(guesses.filter(({ code }) => code === 3735)).toHaveLength(5)
    expect(guesses.filter(({ code }) => code === 3736)).toHaveLength(15)
    expect((await post('/login', { id: box.id, password: PASSWORD }, second)).code).toBe(3736)
    await db.query(`update mailbox_boxes set locked_until = clock_timestamp() - interval '1 second' where task_id = $1`, [box.id])
    expect((await post('/login', { id: box.id, password: PASSWORD }, second)).data).toMatchObject({ isOpen: true })
    expect((await list(box.id, second)).code).toBe(200)
    expect((await post('/password', { id: box.id, password: 'a newer one 9', confirm: 'a newer one 9' })).code).toBe(200)
    expect((await list(box.id, second)).code).toBe(3734)
  })
})

describe('receiving', () => {
  test('a mail sent again is stored once; one to two mailboxes is stored once in each', async () => {
    const [one, two] = [await anOpenBox(), await anOpenBox()]
    const raw = createHash('sha256').update('same').digest()
    const mail = {
      from: 'a@b.example',
      fromName: '',
      subject: 's',
      sentAt: '',
      text: 't',
      html: '',
      blocked: 0,
      auth: { spf: 'none', dkim: 'none', dmarc: 'none' },
      files: [],
    }
    const all = { raw: { bytes: 100, digest: raw }, mail, recipients: [one.address, two.address] }
    await Promise.all([storeMail(deps, all), storeMail(deps, all), storeMail(deps, { ...all, recipients: all.recipients.toReversed() })])
    expect([(await list(one.id)).data.totalRecord, (await list(two.id)).data.totalRecord]).toEqual([1, 1])
  })

  test('a full mailbox refuses temporarily, and deleting a mail makes room', async () => {
    const box = await anOpenBox()
    await db.query(`update mailbox_boxes set bytes = 30000000 where task_id = $1`, [box.id])
    expect(await refusal(send(box.address))).toMatch(/^452/)
    await db.query(`update mailbox_boxes set bytes = 29999999 where task_id = $1`, [box.id])
    await send(box.address)
    const [row] = (await list(box.id)).data.rowList
    expect((await post('/message/delete', { id: row.id })).code).toBe(200)
    expect((await list(box.id)).data.totalRecord).toBe(0)
  })

  test('a mailbox at its mail limit is full and says so; deleting some makes room, however many ever came', async () => {
    const most = 12
    await db.owner.query(`insert into settings (key, value, updated_by) values ('mailbox.most_mails', $1, 'test')`, [String(most)])
    const box = await anOpenBox()
    for (let n = 0; n < most - 1; n++) await aMail(deps, box.address, {})
    expect(await get(box.id)).toMatchObject({ mails: most - 1, unread: most - 1, full: 91 })
    await send(box.address)
    expect([(await get(box.id)).full, (await refusal(send(box.address))).slice(0, 3)]).toEqual([100, '452'])
    for (const { id } of (await list(box.id)).data.rowList.slice(0, 6)) expect((await post('/message/delete', { id })).code).toBe(200)
    await send(box.address)
    expect(await get(box.id)).toMatchObject({ mails: most - 5, full: 58 })
    await db.owner.query(`delete from settings where key = 'mailbox.most_mails'`)
  })

  test('a waiting page is notified the moment a mail is stored', async () => {
    const box = await anOpenBox()
    const { version } = await get(box.id)
    const waiting = post('/message/refresh', { id: box.id, version, waitSeconds: 25 })
    await send(box.address)
    expect((await waiting).data).toMatchObject({ unread: 1 })
  })
})
