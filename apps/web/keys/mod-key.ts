/** The modifier key of the K shortcut. In its own file, because the console's first load shows it without the other shortcuts. */
export const MOD_KEY = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform) ? '\u2318' : 'Ctrl'
