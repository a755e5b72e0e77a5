// The package of Debian brings no types of three.js.
declare module 'three';
declare const DecompressionStream: any;  // not yet known to TypeScript 4.8
