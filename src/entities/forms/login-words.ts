/** Requests to remove somebody's account, as support hears them. */
export const noLogin = ['disable', 'block'].flatMap((verb) => ['login', 'log-in', 'sign-in'].map((word) => `${verb} ${word}`))
