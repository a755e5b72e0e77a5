// The package of Debian brings no types of three.js.
declare module 'three';
