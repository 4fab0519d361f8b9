import { getCurrentLang } from '#platform/web/i18n.ts'
import { useSession } from '#platform/web/state/session.ts'
import { fill } from '#platform/shared/texts.ts'
import { viewTexts } from './view-texts.ts'

const STORAGE_KEY = 'mx.view'
const VIEW_HASH = /^#view=(view_[\w-]{43})\.(\d{13})$/

/**
 * Starts a view: an operator sees an account as its customer does. The token stays in this tab and outside the stored session; an ink frame
 * with a countdown shows it on every page. The server refuses every change.
 */
export function startView(): void {
  const opened = VIEW_HASH.exec(location.hash)
  if (opened) {
    // A reloaded tab recognises the view by its name; the token itself is where no other site can read it.
    window.name = STORAGE_KEY
    sessionStorage.setItem(STORAGE_KEY, `${opened[1]}.${opened[2]}`)
    history.replaceState(null, '', location.pathname + location.search)
  }
  const [token, end] = sessionStorage.getItem(STORAGE_KEY)?.split('.') ?? []
  if (!token || Number(end) <= Date.now()) return leaveView()
  useSession.setState({ token })
  drawViewFrame(Number(end))
}

function leaveView(): void {
  window.name = ''
  sessionStorage.removeItem(STORAGE_KEY)
  if (useSession.getState().token?.startsWith('view_')) location.replace('/')
}

function drawViewFrame(end: number): void {
  const texts = viewTexts[getCurrentLang()]
  const box = document.createElement('div')
  box.setAttribute('role', 'status')
  box.style.cssText =
    'position:fixed;inset:0;z-index:2147483000;pointer-events:none;border:4px solid #0a0e0f;display:flex;justify-content:center;align-items:flex-end'
  const bar = document.createElement('div')
  bar.style.cssText =
    'pointer-events:auto;background:#0a0e0f;color:#ecf1f2;font:13px/20px system-ui,sans-serif;padding:8px 16px;border-radius:10px 10px 0 0;display:flex;gap:16px;font-variant-numeric:tabular-nums'
  const words = document.createElement('span')
  const out = document.createElement('button')
  out.type = 'button'
  out.textContent = texts.leave
  out.style.cssText = 'color:#64d6b5;background:none;border:0;font:inherit;cursor:pointer;padding:0'
  out.addEventListener('click', leaveView)
  bar.append(words, out)
  box.append(bar)
  document.body.append(box)
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    words.textContent = fill(texts.viewing, { left: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })
    if (left === 0) leaveView()
  }
  tick()
  setInterval(tick, 1000)
}
