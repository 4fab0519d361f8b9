/** The bulk kind and the command's name. */
export const COMPENSATION_KIND = 'compensation.run'
