CREATE TABLE code ( person TEXT PRIMARY KEY, salt BLOB NOT NULL, hash BLOB NOT NULL, until INTEGER NOT NULL ) STRICT, WITHOUT ROWID;
INSERT INTO code VALUES ('ada',x'aabb',x'ccdd',9);
PRAGMA user_version = 1;
