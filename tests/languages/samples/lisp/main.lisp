(let ((mode (read-line)) (total 0))
  (when (string= mode "fail") (sb-ext:exit :code 3))
  (loop for x = (read *standard-input* nil) while x do (incf total x))
  (format t "~a~%" total))
