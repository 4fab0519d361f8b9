const nameOf = (button: HTMLElement) => button.getAttribute('aria-label') ?? button.textContent.trim()

/**
 * What was pressed in the console's drawn frame (boot.js): the layout that has taken its place presses its button of the same name. Once a
 * page: from then on presses are heard.
 */
export function pressAnew(): void {
  const root = document.documentElement
  if (root.dataset['live'] !== undefined) return
  root.dataset['live'] = ''
  const { __pressed: pressed } = window as { __pressed?: HTMLElement }
  if (!pressed) return
  const isIt = (button: HTMLElement) => nameOf(button) === nameOf(pressed) && button.offsetParent !== null
  const button = [...document.querySelectorAll<HTMLElement>('#root button')].find(isIt)
  button?.click()
}
