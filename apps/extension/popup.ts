import type { ExtensionRequest } from './background.ts'
import { loadDownloadSite } from './site.ts'
import type { ExtensionProxyAccount } from './site.ts'
import { readPopupState } from './state.ts'
import type { PopupState } from './state.ts'

/** While it is open: the clock each second, the platform every two. */
const TICK_MS = 1000
const POPUP_POLL_MS = 2000
const getText = (key: string, ...values: string[]) => chrome.i18n.getMessage(key, values)
const sendRequest = (what: ExtensionRequest) => chrome.runtime.sendMessage<ExtensionRequest, { code: number; msg: string }>(what)
const main = document.querySelector<HTMLElement>('#main')!
const signOutButton = document.querySelector<HTMLButtonElement>('#out')!

function createElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  more: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), more)
  made.append(...children)
  return made
}

/** Shape of what is currently drawn; an unchanged one is not redrawn, so that focus and typed text stay. */
let drawnShape = ''

async function render(): Promise<void> {
  const state = await readPopupState()
  signOutButton.hidden = !state.isSignedIn
  const shape = JSON.stringify([state.isSignedIn, state.isOn, state.isOffline, state.account?.id ?? null])
  if (shape !== drawnShape) {
    drawnShape = shape
    main.replaceChildren(...(state.isSignedIn ? (state.account ? buildConnectedView(state, state.account) : await buildNoAccount()) : buildSignIn()))
  }
  if (state.account) updateFigures(state.account)
}

function buildSignIn(): Node[] {
  const input = createElement('input', { id: 'code', maxLength: 9, autocomplete: 'off', spellcheck: false, placeholder: '0000 0000' })
  input.setAttribute('aria-label', getText('code'))
  const problem = createElement('p', { className: 'note wrong', id: 'problem' })
  problem.setAttribute('role', 'alert')
  const button = createElement('button', { type: 'submit' }, getText('signIn'))
  const form = createElement('form', {}, input, problem, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const code = input.value.replace(/[\s-]/g, '').toUpperCase()
    if (!/^[0-9A-Z]{8}$/.test(code)) return void (problem.textContent = getText('codeShape'))
    button.setAttribute('aria-busy', 'true')
    void sendRequest({ do: 'link', code }).then((answer) => {
      button.removeAttribute('aria-busy')
      if (answer.code !== 200) problem.textContent = answer.msg || getText('offline')
      else void render()
    })
  })
  return [createElement('p', { className: 'note' }, getText('codeAbout')), form]
}

async function buildNoAccount(): Promise<Node[]> {
  const { url } = await loadDownloadSite()
  return [
    createElement('p', {}, createElement('strong', {}, getText('none'))),
    createElement('p', { className: 'note' }, getText('noneAbout')),
    createElement('p', {}, '\u00a0'),
    createElement('a', { className: 'button', href: `${url}/network`, target: '_blank' }, getText('open')),
  ]
}

function buildConnectedView({ isOn, isOffline }: PopupState, account: ExtensionProxyAccount): Node[] {
  const toggle = createElement(
    'button',
    { className: 'switch', type: 'button', id: 'switch' },
    createElement('b', {}, getText(isOn ? 'on' : 'off')),
    createElement('i'),
  )
  toggle.setAttribute('role', 'switch')
  toggle.setAttribute('aria-checked', String(isOn))
  toggle.addEventListener('click', () => void sendRequest({ do: isOn ? 'off' : 'on' }).then(render))
  const row = (label: string, id: string, text = '') => [createElement('dt', {}, label), createElement('dd', { id }, text)]
  return [
    toggle,
    createElement('p', { className: 'clock', id: 'clock' }),
    createElement('div', { className: 'bar' }, createElement('span', { id: 'bar' })),
    createElement(
      'dl',
      {},
      ...row(getText('exit'), 'exit', account.exit.name),
      ...row(getText('down'), 'down'),
      ...row(getText('up'), 'up'),
      ...row(getText('left'), 'left'),
    ),
    ...(isOffline ? [createElement('p', { className: 'note late' }, getText('offline'))] : []),
  ]
}

function updateFigures(account: ExtensionProxyAccount): void {
  const [end, start] = [Date.parse(account.expiresTime), Date.parse(account.startedTime)]
  const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000))
  const share = Math.min(1, (seconds * 1000) / Math.max(1, end - start))
  setText('clock', `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`)
  setText('down', formatByteCount(account.downBytes))
  setText('up', formatByteCount(account.upBytes))
  setText('left', formatByteCount(Math.max(0, account.allowedBytes - account.upBytes - account.downBytes)))
  const bar = document.querySelector<HTMLElement>('#bar')
  if (!bar) return
  bar.style.width = `${share * 100}%`
  bar.className = share < 0.1 ? 'late' : ''
}

function setText(id: string, value: string): void {
  const found = document.querySelector(`#${id}`)
  if (found && found.textContent !== value) found.textContent = value
}

function formatByteCount(count: number): string {
  const steps = ['B', 'KB', 'MB', 'GB']
  const step = Math.min(steps.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  return `${(count / 1000 ** step).toFixed(step ? 1 : 0)} ${steps[step]}`
}

async function startPopup(): Promise<void> {
  const { brandZh, brandEn } = await loadDownloadSite()
  document.documentElement.lang = getText('languageTag')
  document.title = document.querySelector('#brand')!.textContent = `${getText('script') === 'han' ? brandZh : brandEn} · ${getText('short')}`
  signOutButton.textContent = getText('signOut')
  signOutButton.addEventListener('click', () => void sendRequest({ do: 'out' }).then(render))
  await render()
  chrome.storage.onChanged.addListener(() => void render())
  setInterval(() => void render(), TICK_MS)
  void sendRequest({ do: 'look' })
  setInterval(() => void sendRequest({ do: 'look' }), POPUP_POLL_MS)
}
void startPopup()
