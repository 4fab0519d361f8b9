import type { Wish } from './background.ts'
import { site } from './site.ts'
import type { Account } from './site.ts'
import { readState } from './state.ts'
import type { State } from './state.ts'

/** While it is open: the clock each second, the platform every two. */
const TICK_MS = 1000
const LOOK_MS = 2000
const say = (key: string, ...values: string[]) => chrome.i18n.getMessage(key, values)
const wish = (what: Wish) => chrome.runtime.sendMessage<Wish, { code: number; msg: string }>(what)
const main = document.querySelector<HTMLElement>('#main')!
const out = document.querySelector<HTMLButtonElement>('#out')!

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  more: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), more)
  made.append(...children)
  return made
}

/** Shape of what is currently drawn; an unchanged one is not redrawn, so that focus and typed text stay. */
let drawn = ''

async function draw(): Promise<void> {
  const state = await readState()
  out.hidden = !state.isSignedIn
  const shape = JSON.stringify([state.isSignedIn, state.isOn, state.isOffline, state.account?.id ?? null])
  if (shape !== drawn) {
    drawn = shape
    main.replaceChildren(...(state.isSignedIn ? (state.account ? inUse(state, state.account) : await nothing()) : signIn()))
  }
  if (state.account) figures(state.account)
}

function signIn(): Node[] {
  const input = element('input', { id: 'code', maxLength: 9, autocomplete: 'off', spellcheck: false, placeholder: '0000 0000' })
  input.setAttribute('aria-label', say('code'))
  const problem = element('p', { className: 'note wrong', id: 'problem' })
  problem.setAttribute('role', 'alert')
  const button = element('button', { type: 'submit' }, say('signIn'))
  const form = element('form', {}, input, problem, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const code = input.value.replace(/[\s-]/g, '').toUpperCase()
    if (!/^[0-9A-Z]{8}$/.test(code)) return void (problem.textContent = say('codeShape'))
    button.setAttribute('aria-busy', 'true')
    void wish({ do: 'link', code }).then((answer) => {
      button.removeAttribute('aria-busy')
      if (answer.code !== 200) problem.textContent = answer.msg || say('offline')
      else void draw()
    })
  })
  return [element('p', { className: 'note' }, say('codeAbout')), form]
}

async function nothing(): Promise<Node[]> {
  const { url } = await site()
  return [
    element('p', {}, element('strong', {}, say('none'))),
    element('p', { className: 'note' }, say('noneAbout')),
    element('p', {}, '\u00a0'),
    element('a', { className: 'button', href: `${url}/network`, target: '_blank' }, say('open')),
  ]
}

function inUse({ isOn, isOffline }: State, account: Account): Node[] {
  const toggle = element('button', { className: 'switch', type: 'button', id: 'switch' }, element('b', {}, say(isOn ? 'on' : 'off')), element('i'))
  toggle.setAttribute('role', 'switch')
  toggle.setAttribute('aria-checked', String(isOn))
  toggle.addEventListener('click', () => void wish({ do: isOn ? 'off' : 'on' }).then(draw))
  const row = (label: string, id: string, text = '') => [element('dt', {}, label), element('dd', { id }, text)]
  return [
    toggle,
    element('p', { className: 'clock', id: 'clock' }),
    element('div', { className: 'bar' }, element('span', { id: 'bar' })),
    element('dl', {}, ...row(say('exit'), 'exit', account.exit.name), ...row(say('down'), 'down'), ...row(say('up'), 'up'), ...row(say('left'), 'left')),
    ...(isOffline ? [element('p', { className: 'note late' }, say('offline'))] : []),
  ]
}

function figures(account: Account): void {
  const [end, start] = [Date.parse(account.expiresTime), Date.parse(account.startedTime)]
  const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000))
  const share = Math.min(1, (seconds * 1000) / Math.max(1, end - start))
  text('clock', `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`)
  text('down', bytes(account.downBytes))
  text('up', bytes(account.upBytes))
  text('left', bytes(Math.max(0, account.allowedBytes - account.upBytes - account.downBytes)))
  const bar = document.querySelector<HTMLElement>('#bar')
  if (!bar) return
  bar.style.width = `${share * 100}%`
  bar.className = share < 0.1 ? 'late' : ''
}

function text(id: string, value: string): void {
  const found = document.querySelector(`#${id}`)
  if (found && found.textContent !== value) found.textContent = value
}

function bytes(count: number): string {
  const steps = ['B', 'KB', 'MB', 'GB']
  const step = Math.min(steps.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  return `${(count / 1000 ** step).toFixed(step ? 1 : 0)} ${steps[step]}`
}

async function begin(): Promise<void> {
  const { brandZh, brandEn } = await site()
  const isChinese = chrome.i18n.getUILanguage().startsWith('zh')
  document.documentElement.lang = isChinese ? 'zh-CN' : 'en'
  document.title = document.querySelector('#brand')!.textContent = `${isChinese ? brandZh : brandEn} · ${say('short')}`
  out.textContent = say('signOut')
  out.addEventListener('click', () => void wish({ do: 'out' }).then(draw))
  await draw()
  chrome.storage.onChanged.addListener(() => void draw())
  setInterval(() => void draw(), TICK_MS)
  void wish({ do: 'look' })
  setInterval(() => void wish({ do: 'look' }), LOOK_MS)
}
void begin()
