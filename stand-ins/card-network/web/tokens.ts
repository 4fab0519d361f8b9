/** The colours of the platform (ui/styles/tokens.css): the frame stands on its paper, the shop beside it. */
const LIGHT = {
  'bg': '#f7fbfc',
  'surface': '#ffffff',
  'sunken': '#f0f4f5',
  'line': '#dbe1e2',
  'control': '#7e888a',
  'fg': '#131b1c',
  'fg-2': '#414a4b',
  'fg-3': '#5f686a',
  'brand': '#16705b',
  'on-brand': '#ffffff',
  'brand-hover': '#0f5d4b',
  'brand-soft': '#def7ee',
  'brand-text': '#0f5d4b',
  'success': '#1b763a',
  'warning': '#985b0b',
  'danger': '#c1253b',
  'info': '#1b69ad',
  'seal': '#cc3719',
} as const
const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  'bg': '#0b0f10',
  'surface': '#141819',
  'sunken': '#070a0a',
  'line': '#292f30',
  'control': '#616b6d',
  'fg': '#ecf1f2',
  'fg-2': '#b7c0c1',
  'fg-3': '#909a9c',
  'brand': '#64d6b5',
  'on-brand': '#0b0f10',
  'brand-hover': '#88e7c9',
  'brand-soft': '#112f27',
  'brand-text': '#70dbbc',
  'success': '#72d48a',
  'warning': '#f0be67',
  'danger': '#f77d80',
  'info': '#79b6f4',
  'seal': '#f26549',
}
const listed = (colours: Readonly<Record<string, string>>) =>
  Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** CSS variables for a page with a fixed theme. */
export const themeOf = (theme: 'light' | 'dark'): string => `:root{color-scheme:${theme};${listed(theme === 'dark' ? DARK : LIGHT)}}`
/** CSS variables for a page that follows the device. */
export const bothThemes = `:root{color-scheme:light dark;${listed(LIGHT)}}@media(prefers-color-scheme:dark){:root{${listed(DARK)}}}`

export const SANS = `-apple-system,BlinkMacSystemFont,'PingFang SC','HarmonyOS Sans SC','MiSans','Microsoft YaHei','Noto Sans CJK SC',sans-serif`
export const MONO = `ui-monospace,'Geist Mono',Menlo,Consolas,'Noto Sans Mono',monospace`
export const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
