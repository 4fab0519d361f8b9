const readButtonName = (button: HTMLElement) => button.getAttribute('aria-label') ?? button.textContent.trim()

/**
 * Replays a press on the console's prerendered frame (boot.js) on the live layout's button of the same name. Runs once per page; later presses are
 * handled directly.
 */
export function replayPress(): void {
  const root = document.documentElement
  if (root.dataset['live'] !== undefined) return
  root.dataset['live'] = ''
  const { __pressed: pressed } = window as { __pressed?: HTMLElement }
  if (!pressed) return
  const isIt = (button: HTMLElement) => readButtonName(button) === readButtonName(pressed) && button.offsetParent !== null
  const button = [...document.querySelectorAll<HTMLElement>('#root button')].find(isIt)
  button?.click()
}
